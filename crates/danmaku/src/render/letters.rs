//! The letters of the pictures: a stroke font of our own, drawn on a grid of 9 units from cap line to baseline.
//!
//! A path is a list of `M`, `L` and `Q` (one control point) with coordinates of one digit each, x then y, y downwards:
//! `M12 L30` moves to (1, 2) and draws a line to (3, 0).

/// Height of a capital, in grid units.
pub(super) const CAP_HEIGHT: f32 = 9.0;
/// Space between two letters, in grid units.
pub(super) const TRACKING: f32 = 3.0;

/// One letter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter {
    /// Advance without tracking, in grid units.
    pub(super) width: u8,
    pub(super) path: &'static str,
}

/// The letter for a character. Lower case is drawn as upper case, and what the font lacks as an empty box.
pub(super) fn letter(character: char) -> Letter {
    let (width, path) = match character.to_ascii_uppercase() {
        '0' => (6, "M30 Q00 03 L06 Q09 39 Q69 66 L63 Q60 30"),
        '1' => (6, "M12 L30 L39 M19 L59"),
        '2' => (6, "M02 Q10 30 Q60 63 Q64 45 L09 L69"),
        '3' => (6, "M02 Q10 30 Q60 62 Q64 34 L24 M34 Q64 66 Q69 39 Q19 07"),
        '4' => (6, "M49 L40 L06 L66"),
        '5' => (6, "M60 L10 L04 Q13 33 Q63 66 Q69 39 Q19 07"),
        '6' => (6, "M61 Q50 30 Q00 06 Q09 39 Q69 66 Q63 33 Q03 06"),
        '7' => (6, "M00 L60 L29"),
        '8' => (6, "M34 Q04 02 Q00 30 Q60 62 Q64 34 Q04 06 Q09 39 Q69 66 Q64 34"),
        '9' => (6, "M08 Q19 39 Q69 63 Q60 30 Q00 03 Q06 36 Q66 63"),
        'A' => (6, "M09 L30 L69 M16 L56"),
        'B' => (6, "M04 L34 Q64 66 Q69 39 L09 L00 L30 Q60 62 Q64 34"),
        'C' => (6, "M62 Q60 30 Q00 03 L06 Q09 39 Q69 67"),
        'D' => (6, "M00 L09 L29 Q69 65 L64 Q60 20 L00"),
        'E' => (5, "M50 L00 L09 L59 M04 L44"),
        'F' => (5, "M50 L00 L09 M04 L44"),
        'G' => (6, "M62 Q60 30 Q00 03 L06 Q09 39 Q69 66 L65 L45"),
        'H' => (6, "M00 L09 M60 L69 M04 L64"),
        'I' => (2, "M10 L19"),
        'J' => (5, "M50 L56 Q59 29 Q09 07"),
        'K' => (6, "M00 L09 M60 L05 M23 L69"),
        'L' => (5, "M00 L09 L59"),
        'M' => (7, "M09 L00 L35 L70 L79"),
        'N' => (6, "M09 L00 L69 L60"),
        'O' => (7, "M30 L40 Q70 73 L76 Q79 49 L39 Q09 06 L03 Q00 30 L40"),
        'P' => (6, "M09 L00 L30 Q60 62 Q65 35 L05"),
        'Q' => (7, "M30 L40 Q70 73 L76 Q79 49 L39 Q09 06 L03 Q00 30 L40 M46 L79"),
        'R' => (6, "M09 L00 L30 Q60 62 Q65 35 L05 M35 L69"),
        'S' => (6, "M62 Q60 30 Q00 02 Q04 34 Q65 66 Q69 39 Q09 07"),
        'T' => (6, "M00 L60 M30 L39"),
        'U' => (6, "M00 L06 Q09 39 Q69 66 L60"),
        'V' => (6, "M00 L39 L60"),
        'W' => (8, "M00 L29 L42 L69 L80"),
        'X' => (6, "M00 L69 M60 L09"),
        'Y' => (6, "M00 L34 L60 M34 L39"),
        'Z' => (6, "M00 L60 L09 L69"),
        ':' => (2, "M12 L13 M17 L18"),
        '.' => (2, "M18 L19"),
        '/' => (5, "M09 L50"),
        '-' => (5, "M15 L45"),
        '_' => (5, "M09 L59"),
        '%' => (7, "M10 Q00 01 Q03 13 Q23 21 Q20 10 M66 Q56 57 Q59 69 Q79 77 Q76 66 M70 L09"),
        ' ' => (3, ""),
        _ => (6, "M00 L60 L69 L09 L00"),
    };
    Letter { width, path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_written_in_the_grammar_and_stays_in_its_box() {
        for character in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ:./-_% é".chars() {
            let Letter { width, path } = letter(character);
            for part in path.split_whitespace().filter(|part| part.starts_with(['M', 'L', 'Q'])) {
                assert!(part[1..].chars().all(|digit| digit.is_ascii_digit()), "{character}: {part}");
            }
            for pair in path.split_whitespace().map(|part| part.trim_start_matches(['M', 'L', 'Q'])) {
                let digits: Vec<u8> = pair.bytes().map(|byte| byte - b'0').collect();
                assert_eq!(digits.len(), 2, "{character}: {pair}");
                assert!(digits[0] <= width && digits[1] <= 9, "{character}: {pair}");
            }
            assert!(path.is_empty() || path.starts_with('M'), "{character}");
        }
    }

    #[test]
    fn lower_case_is_drawn_as_upper_case_and_the_unknown_as_a_box() {
        assert_eq!(letter('q').path, letter('Q').path);
        assert_eq!(letter('汉').path, letter('é').path);
        assert_ne!(letter('O').path, letter('0').path);
    }
}
