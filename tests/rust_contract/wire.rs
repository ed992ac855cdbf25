//! Numbers and byte strings as they are written: little endian, lengths before strings.
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Fewer bytes than expected: at, wanted, size.
    Short(usize, usize, usize),
    /// More of something than the bytes could hold.
    Count(u64),
    Text(std::string::FromUtf8Error),
    Said(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Short(at, wanted, size) => {
                write!(to, "{wanted} bytes at {at:#x} of {size} are not there")
            }
            Fault::Count(count) => write!(to, "a count of {count} is too large"),
            Fault::Text(why) => write!(to, "text: {why}"),
            Fault::Said(text) => to.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

impl From<std::string::FromUtf8Error> for Fault {
    fn from(why: std::string::FromUtf8Error) -> Fault {
        Fault::Text(why)
    }
}

impl From<std::num::ParseIntError> for Fault {
    fn from(why: std::num::ParseIntError) -> Fault {
        Fault::Said(format!("number: {why}"))
    }
}

pub type Outcome<T> = Result<T, Fault>;

pub fn fault<T>(text: impl Into<String>) -> Outcome<T> {
    Err(Fault::Said(text.into()))
}

pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn of(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }
    pub fn take(&mut self, size: usize) -> Outcome<&'a [u8]> {
        let end = self.at.checked_add(size).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(Fault::Short(self.at, size, self.bytes.len()))?;
        let piece = &self.bytes[self.at..end];
        self.at = end;
        Ok(piece)
    }
    fn fixed<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }
    pub fn byte(&mut self) -> Outcome<u8> {
        Ok(self.fixed::<1>()?[0])
    }
    pub fn u32(&mut self) -> Outcome<u32> {
        Ok(u32::from_le_bytes(self.fixed()?))
    }
    pub fn u64(&mut self) -> Outcome<u64> {
        Ok(u64::from_le_bytes(self.fixed()?))
    }
    pub fn u128(&mut self) -> Outcome<u128> {
        Ok(u128::from_le_bytes(self.fixed()?))
    }
    /// Bitcoin's compact size.
    pub fn size(&mut self) -> Outcome<u64> {
        match self.byte()? {
            0xfd => Ok(u16::from_le_bytes(self.fixed()?).into()),
            0xfe => Ok(self.u32()?.into()),
            0xff => self.u64(),
            small => Ok(small.into()),
        }
    }
    pub fn string(&mut self) -> Outcome<Vec<u8>> {
        let size = self.size()?;
        Ok(self.take(usize::try_from(size).map_err(|_| Fault::Count(size))?)?.to_vec())
    }
    /// As many as a compact size says.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Outcome<T>) -> Outcome<Vec<T>> {
        let count = self.size()?;
        if count > self.left() as u64 {
            return Err(Fault::Count(count));
        }
        (0..count).map(|_| one(self)).collect()
    }
}

pub fn write_size(to: &mut Vec<u8>, size: usize) {
    match size {
        0..=0xfc => to.push(size as u8),
        0xfd..=0xffff => {
            to.push(0xfd);
            to.extend((size as u16).to_le_bytes());
        }
        _ => {
            to.push(0xfe);
            to.extend((size as u32).to_le_bytes());
        }
    }
}

pub fn write_string(to: &mut Vec<u8>, bytes: &[u8]) {
    write_size(to, bytes.len());
    to.extend_from_slice(bytes);
}

/// The letters before the first zero byte.
pub fn text_of(words: &[u128]) -> Outcome<String> {
    let letters = words.iter().flat_map(|word| word.to_le_bytes());
    Ok(String::from_utf8(letters.take_while(|letter| *letter != 0).collect())?)
}
