//! Pixels to draw on: the few shapes that the pictures are made of, text, and the PNG at the end.
//!
//! Coordinates are pixels from the upper left corner. Shapes that have no area are not drawn.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke, Transform};

use super::RenderError;
use super::letters::{CAP_HEIGHT, TRACKING, letter};
use super::palette::{Rgb, opaque};
use super::png;

/// A picture in the making.
pub(super) struct Canvas {
    pixmap: Pixmap,
}

/// Which end of a text its position names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Right,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32, background: Rgb) -> Result<Self, RenderError> {
        let mut pixmap = Pixmap::new(width, height).ok_or(RenderError::Size { width, height })?;
        pixmap.fill(opaque(background));
        Ok(Self { pixmap })
    }

    pub(super) fn rectangle(&mut self, [left, top, width, height]: [f32; 4], colour: Rgb) {
        if let Some(rect) = Rect::from_xywh(left, top, width, height) {
            self.pixmap.fill_rect(rect, &paint(colour, 255), Transform::identity(), None);
        }
    }

    /// The outline of a rectangle.
    pub(super) fn frame(&mut self, [left, top, width, height]: [f32; 4], line: f32, colour: Rgb) {
        if let Some(rect) = Rect::from_xywh(left, top, width, height) {
            self.stroke(&PathBuilder::from_rect(rect), line, colour);
        }
    }

    pub(super) fn disc(&mut self, [x, y]: [f32; 2], radius: f32, colour: Rgb) {
        self.translucent_disc([x, y], radius, colour, 255);
    }

    pub(super) fn translucent_disc(&mut self, [x, y]: [f32; 2], radius: f32, colour: Rgb, alpha: u8) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            let paint = paint(colour, alpha);
            self.pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    /// The outline of a circle.
    pub(super) fn ring(&mut self, [x, y]: [f32; 2], radius: f32, line: f32, colour: Rgb) {
        if let Some(path) = PathBuilder::from_circle(x, y, radius) {
            self.stroke(&path, line, colour);
        }
    }

    pub(super) fn line(&mut self, points: &[[f32; 2]], line: f32, colour: Rgb) {
        if let Some(path) = polygon(points, false) {
            self.stroke(&path, line, colour);
        }
    }

    pub(super) fn polygon(&mut self, points: &[[f32; 2]], colour: Rgb) {
        if let Some(path) = polygon(points, true) {
            let paint = paint(colour, 255);
            self.pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    /// The outline of a polygon.
    pub(super) fn polygon_outline(&mut self, points: &[[f32; 2]], line: f32, colour: Rgb) {
        if let Some(path) = polygon(points, true) {
            self.stroke(&path, line, colour);
        }
    }

    /// Writes a text whose capitals are `height` pixels high; `top` is the capitals' upper edge.
    pub(super) fn text(&mut self, text: &str, [x, top]: [f32; 2], height: f32, anchor: Anchor, colour: Rgb) {
        let unit = height / CAP_HEIGHT;
        let width = text_width(text, height);
        let left = match anchor {
            Anchor::Left => x,
            Anchor::Right => x - width,
        };
        let mut pen = left;
        let mut path = PathBuilder::new();
        for letter in text.chars().map(letter) {
            let mut points = letter.path.split_whitespace();
            while let Some(part) = points.next() {
                let to = point(part, pen, top, unit);
                match part.as_bytes().first() {
                    Some(b'M') => path.move_to(to[0], to[1]),
                    Some(b'L') => path.line_to(to[0], to[1]),
                    _ => {
                        let end = point(points.next().unwrap_or_default(), pen, top, unit);
                        path.quad_to(to[0], to[1], end[0], end[1]);
                    }
                }
            }
            pen += (f32::from(letter.width) + TRACKING) * unit;
        }
        if let Some(path) = path.finish() {
            self.stroke(&path, (height * 0.135).max(1.25), colour);
        }
    }

    /// Copies another canvas onto this one, its upper left corner at a pixel.
    pub(super) fn paste(&mut self, other: &Self, left: i32, top: i32) {
        let how = PixmapPaint::default();
        self.pixmap.draw_pixmap(left, top, other.pixmap.as_ref(), &how, Transform::identity(), None);
    }

    /// The picture as a PNG file.
    pub(super) fn png(&self) -> Vec<u8> {
        png::encode(self.pixmap.width(), self.pixmap.height(), self.pixmap.data())
    }

    fn stroke(&mut self, path: &Path, width: f32, colour: Rgb) {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        self.pixmap.stroke_path(path, &paint(colour, 255), &stroke, Transform::identity(), None);
    }
}

/// The width of a text in pixels, from the first letter's left edge to the last one's right edge.
pub(super) fn text_width(text: &str, height: f32) -> f32 {
    let units: f32 = text.chars().map(|character| f32::from(letter(character).width) + TRACKING).sum();
    (units - TRACKING).max(0.0) * height / CAP_HEIGHT
}

fn point(part: &str, pen: f32, top: f32, unit: f32) -> [f32; 2] {
    let mut digits = part.bytes().filter(u8::is_ascii_digit).map(|digit| f32::from(digit - b'0'));
    let mut next = || digits.next().unwrap_or(0.0);
    [pen + next() * unit, top + next() * unit]
}

fn polygon(points: &[[f32; 2]], closed: bool) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut path = PathBuilder::new();
    path.move_to(first[0], first[1]);
    for point in rest {
        path.line_to(point[0], point[1]);
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn paint(colour: Rgb, alpha: u8) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(colour[0], colour[1], colour[2], alpha);
    paint.anti_alias = true;
    paint
}
