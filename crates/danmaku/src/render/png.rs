//! PNG files: eight bits each of red, green and blue, in the few chunks that takes.
//!
//! They are written here rather than through an encoder whose compressor depends on how the rest of a program was
//! built: the bytes depend on the pixels alone.

use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::number::count;

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
/// Flat pictures gain nothing from a higher level.
const LEVEL: u8 = 7;

/// Writes rows of opaque RGBA pixels as a PNG file; the alpha is left out.
pub(super) fn encode(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let row = usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(4).max(4);
    let mut rows = Vec::with_capacity(rgba.len());
    for pixels in rgba.chunks(row) {
        // No filter: pictures of flat areas compress best as they are.
        rows.push(0);
        rows.extend(pixels.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]));
    }
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Bit depth 8, colour type RGB; the only compression and filter methods there are; not interlaced.
    header.extend([8, 2, 0, 0, 0]);

    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &compress_to_vec_zlib(&rows, LEVEL));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    file.extend(count(data.len()).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&kind);
    checksum.update(data);
    file.extend(checksum.finalize().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_finds_the_same_pixels() {
        let rgba: Vec<u8> =
            (0..7 * 5).flat_map(|pixel: u8| [pixel, pixel.wrapping_mul(37), 255 - pixel, 255]).collect();
        let file = encode(7, 5, &rgba);
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        reader.finish().unwrap();
        assert_eq!((info.width, info.height, info.color_type), (7, 5, png::ColorType::Rgb));
        let rgb: Vec<u8> = rgba.chunks(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
        assert_eq!(pixels, rgb);
    }
}
