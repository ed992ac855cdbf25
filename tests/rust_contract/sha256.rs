//! FIPS 180-4.

/// The first 32 bits of the fraction of a number's square root, or of its cube root.
const fn fraction(of: u128, cube: bool) -> u32 {
    let (mut root, mut bit) = (0u128, 36);
    while bit > 0 {
        bit -= 1;
        let next = root | 1 << bit;
        let (power, wanted) = if cube { (next * next * next, of << 96) } else { (next * next, of << 64) };
        if power <= wanted {
            root = next;
        }
    }
    root as u32
}

const fn fractions<const N: usize>(cube: bool) -> [u32; N] {
    let (mut all, mut count, mut number) = ([0; N], 0, 2);
    while count < N {
        let mut divisor = 2;
        while number % divisor != 0 {
            divisor += 1;
        }
        if divisor == number {
            all[count] = fraction(number, cube);
            count += 1;
        }
        number += 1;
    }
    all
}

const START: [u32; 8] = fractions(false);
const CONSTANTS: [u32; 64] = fractions(true);

pub struct Sha256 {
    state: [u32; 8],
}

impl Sha256 {
    fn new() -> Sha256 {
        Sha256 { state: START }
    }

    fn block(&mut self, block: &[u8]) {
        let mut words: Vec<u32> = block
            .chunks_exact(4)
            .map(|word| word.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
            .collect();
        for i in 16..64 {
            let (a, b) = (words[i - 15], words[i - 2]);
            words.push(
                words[i - 16]
                    .wrapping_add(a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3)
                    .wrapping_add(words[i - 7])
                    .wrapping_add(b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10),
            );
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for (word, constant) in words.iter().zip(CONSTANTS) {
            let first = h
                .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                .wrapping_add(g ^ (e & (f ^ g)))
                .wrapping_add(constant)
                .wrapping_add(*word);
            let second = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22))
                .wrapping_add((a & b) | (c & (a | b)));
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(second));
        }
        for (to, more) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *to = to.wrapping_add(more);
        }
    }

    pub fn of(bytes: &[u8]) -> [u8; 32] {
        let mut padded = bytes.to_vec();
        padded.push(0x80);
        padded.resize((padded.len() + 8 + 63) / 64 * 64 - 8, 0);
        padded.extend((bytes.len() as u64 * 8).to_be_bytes());
        let mut hash = Sha256::new();
        padded.chunks_exact(64).for_each(|block| hash.block(block));
        let mut digest = [0; 32];
        for (to, word) in digest.chunks_exact_mut(4).zip(hash.state) {
            to.copy_from_slice(&word.to_be_bytes());
        }
        digest
    }
}
