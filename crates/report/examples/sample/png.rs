//! The smallest PNG writer that makes pictures to look at: four colours, nothing compressed.

/// Encodes rows of palette indices (0 to 3); every row has the width of the first.
pub(crate) fn encode(palette: [[u8; 3]; 4], rows: &[Vec<u8>]) -> Vec<u8> {
    let width = rows.first().map_or(0, Vec::len);
    let mut header = Vec::new();
    header.extend(u32::try_from(width).unwrap_or(u32::MAX).to_be_bytes());
    header.extend(u32::try_from(rows.len()).unwrap_or(u32::MAX).to_be_bytes());
    // Two bits per pixel, indexed.
    header.extend([2, 3, 0, 0, 0]);
    let mut raw = Vec::new();
    for row in rows {
        raw.push(0);
        raw.extend(row.chunks(4).map(|four| {
            four.iter().enumerate().fold(0, |byte, (place, index)| byte | ((index & 3) << (6 - 2 * place)))
        }));
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"PLTE", &palette.concat());
    chunk(&mut out, *b"IDAT", &stored(&raw));
    chunk(&mut out, *b"IEND", &[]);
    out
}

fn chunk(out: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    out.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let from = out.len();
    out.extend(name);
    out.extend(data);
    let sum = crc(&out[from..]);
    out.extend(sum.to_be_bytes());
}

/// A zlib stream of stored blocks.
fn stored(raw: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let blocks = raw.chunks(0xFFFF).count();
    for (index, block) in raw.chunks(0xFFFF).enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(index + 1 == blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in raw {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    out.extend(((high << 16) | low).to_be_bytes());
    out
}

fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
        }
    }
    !sum
}
