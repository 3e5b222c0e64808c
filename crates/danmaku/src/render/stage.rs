//! The stage: arena, boss, player and bullets of one snapshot, at any size.

use super::RenderError;
use super::camera::Camera;
use super::canvas::Canvas;
use super::palette::{self, Rgb, Shape};
use super::snapshot::{Snapshot, share};
use crate::config::FightConfig;
use crate::number::single;

/// Pixels from a bullet's centre to its edge, on a stage 520 high. The simulator's bullets are points.
const BULLET: f32 = 5.0;

/// Draws one snapshot.
pub(super) fn draw(config: &FightConfig, camera: &Camera, scene: &Snapshot) -> Result<Canvas, RenderError> {
    let mut canvas = arena(camera)?;
    boss(&mut canvas, config, camera, scene.phase);
    for bullet in &scene.bullets {
        let colour = palette::bullet(bullet.phase, bullet.layer);
        let radius = camera.relative(BULLET).max(1.7);
        dot(&mut canvas, camera.place(bullet.position), radius, palette::shape(bullet.layer), colour);
    }
    player(&mut canvas, config, camera, scene);
    boss_bar(&mut canvas, config, camera, scene);
    Ok(canvas)
}

/// The empty arena, within the region in which bullets live, within the stage.
pub(super) fn arena(camera: &Camera) -> Result<Canvas, RenderError> {
    let mut canvas = Canvas::new(camera.width, camera.height, palette::SURROUND)?;
    canvas.rectangle(camera.rectangle(camera.region), palette::OUTSKIRTS);
    canvas.rectangle(camera.rectangle(camera.arena), palette::ARENA);
    // Lines every two units; so far apart that large arenas are not filled with them.
    let spacing = if camera.arena[0].max(camera.arena[1]) > 40.0 { 0.0 } else { 2.0 };
    if spacing > 0.0 {
        let [width, height] = camera.arena;
        let mut at = 0.0;
        while at < width.max(height) {
            for sign in [-1.0, 1.0] {
                if at < width {
                    let x = sign * at;
                    canvas.line(&[camera.place([x, -height]), camera.place([x, height])], 1.0, palette::GRID);
                }
                if at < height {
                    let z = sign * at;
                    canvas.line(&[camera.place([-width, z]), camera.place([width, z])], 1.0, palette::GRID);
                }
            }
            at += spacing;
        }
    }
    border(&mut canvas, camera);
    Ok(canvas)
}

/// The arena's border.
pub(super) fn border(canvas: &mut Canvas, camera: &Camera) {
    canvas.frame(camera.rectangle(camera.arena), camera.relative(1.75).max(1.0), palette::BORDER);
}

/// The boss: a hexagon around a core in the colour of its phase.
pub(super) fn boss(canvas: &mut Canvas, config: &FightConfig, camera: &Camera, phase: usize) {
    let [x, y] = boss_place(config, camera);
    let size = camera.relative(15.0).max(3.5);
    // cos and sin of 30 degrees.
    let (long, half) = (0.866 * size, 0.5 * size);
    let corners = [
        [x, y - size],
        [x + long, y - half],
        [x + long, y + half],
        [x, y + size],
        [x - long, y + half],
        [x - long, y - half],
    ];
    canvas.polygon(&corners, palette::mix(palette::BOSS, palette::BACKGROUND, 110));
    canvas.polygon_outline(&corners, camera.relative(2.0).max(1.0), palette::BOSS);
    canvas.disc([x, y], size * 0.36, palette::phase(phase));
}

/// The boss's health above it.
fn boss_bar(canvas: &mut Canvas, config: &FightConfig, camera: &Camera, scene: &Snapshot) {
    let [x, y] = boss_place(config, camera);
    let (width, height) = (camera.relative(84.0), camera.relative(6.0).max(2.0));
    let [left, top] = [x - width / 2.0, y - camera.relative(30.0)];
    canvas.rectangle([left - 1.5, top - 1.5, width + 3.0, height + 3.0], palette::BACKGROUND);
    canvas.rectangle([left, top, width, height], palette::TRACK);
    let left_over = share(scene.boss_health, config.boss().max_health);
    canvas.rectangle([left, top, width * left_over, height], palette::BOSS);
}

/// The player: its hit circle to scale, around it a thin ship that is easier to find.
fn player(canvas: &mut Canvas, config: &FightConfig, camera: &Camera, scene: &Snapshot) {
    let place = camera.place(scene.player);
    let radius = single(config.player().hit_radius) * camera.scale;
    let colour = if scene.just_hit { palette::HIT } else { palette::PLAYER };
    let [x, y] = place;
    let wing = camera.relative(13.0).max(4.0);
    let ship =
        [[x, y - wing], [x + wing * 0.8, y + wing * 0.75], [x, y + wing * 0.4], [x - wing * 0.8, y + wing * 0.75]];
    let line = camera.relative(1.75).max(0.9);
    canvas.polygon_outline(&ship, line, palette::mix(colour, palette::ARENA, 90));
    canvas.translucent_disc(place, radius, colour, 70);
    canvas.ring(place, radius, line, colour);
    canvas.disc(place, camera.relative(1.75).max(0.8), colour);
    if scene.just_hit {
        canvas.ring(place, wing * 1.9, line, colour);
    }
}

/// One bullet, as the stage and its legend show it.
pub(super) fn dot(canvas: &mut Canvas, place: [f32; 2], radius: f32, shape: Shape, colour: Rgb) {
    let [x, y] = place;
    let reach = radius * 1.15;
    let corners = [[x, y - reach], [x + reach, y], [x, y + reach], [x - reach, y]];
    let line = (radius * 0.42).max(0.8);
    match shape {
        Shape::Disc => {
            canvas.disc(place, radius, colour);
            canvas.disc(place, radius * 0.4, palette::mix(colour, [255; 3], 190));
        }
        Shape::Ring => {
            canvas.disc(place, radius, palette::BACKGROUND);
            canvas.ring(place, radius - line / 2.0, line, colour);
        }
        Shape::Diamond => {
            canvas.polygon(&corners, colour);
            canvas.disc(place, radius * 0.3, palette::BACKGROUND);
        }
        Shape::Frame => {
            canvas.polygon(&corners, palette::BACKGROUND);
            canvas.polygon_outline(&corners, line, colour);
        }
    }
}

fn boss_place(config: &FightConfig, camera: &Camera) -> [f32; 2] {
    camera.place([single(config.boss().position_x), single(config.boss().position_z)])
}
