//! Who holds how much: kept as text, a line for each holder.
use crate::wire::{fault, Fault, Outcome};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlkaneId {
    pub block: u128,
    pub tx: u128,
}

impl fmt::Display for AlkaneId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "[{}, {}]", self.block, self.tx)
    }
}

impl FromStr for AlkaneId {
    type Err = Fault;
    fn from_str(text: &str) -> Outcome<AlkaneId> {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        match inner.and_then(|text| text.split_once(", ")) {
            Some((block, tx)) => Ok(AlkaneId { block: block.parse()?, tx: tx.parse()? }),
            None => fault(format!("expected [block, tx], found {text:?}")),
        }
    }
}

/// A number with its digits in groups of three.
pub struct Grouped(pub u128);

impl fmt::Display for Grouped {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3);
        for (i, digit) in digits.chars().enumerate() {
            if i != 0 && (digits.len() - i) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        to.pad(&text)
    }
}

/// A share in hundredths of a percent.
pub struct Share(pub u128);

impl fmt::Display for Share {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.pad(&format!("{}.{:02} %", self.0 / 100, self.0 % 100))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    pub balance: u128,
    pub mints: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub accounts: BTreeMap<AlkaneId, Account>,
}

impl FromStr for Ledger {
    type Err = Fault;
    fn from_str(text: &str) -> Outcome<Ledger> {
        let mut ledger = Ledger::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let fields: Vec<&str> = line.split(" = ").collect();
            let [id, balance, mints] = match fields[..] {
                [id, balance, mints] => [id, balance, mints],
                _ => return fault(format!("a line of {} fields: {line:?}", fields.len())),
            };
            let account = Account { balance: balance.parse()?, mints: mints.parse()? };
            ledger.accounts.insert(id.parse()?, account);
        }
        Ok(ledger)
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.accounts
            .iter()
            .try_for_each(|(id, account)| writeln!(to, "{id} = {} = {}", account.balance, account.mints))
    }
}

impl Ledger {
    pub fn add(&mut self, who: AlkaneId, amount: u128) -> Outcome<&mut Account> {
        let account = self.accounts.entry(who).or_default();
        match account.balance.checked_add(amount) {
            Some(sum) => account.balance = sum,
            None => return fault(format!("{} more than fit on {who}", Grouped(amount))),
        }
        Ok(account)
    }

    /// An account without anything is removed.
    pub fn take(&mut self, who: AlkaneId, amount: u128) -> Outcome<()> {
        let had = self.accounts.get(&who).map_or(0, |account| account.balance);
        match had.checked_sub(amount) {
            None => fault(format!("{who} has {} and not {}", Grouped(had), Grouped(amount))),
            Some(0) => {
                self.accounts.remove(&who);
                Ok(())
            }
            Some(left) => {
                self.accounts.entry(who).or_default().balance = left;
                Ok(())
            }
        }
    }

    /// A table of all of them, the richest first.
    pub fn report(&self, supply: u128) -> String {
        let mut all: Vec<_> = self.accounts.iter().collect();
        all.sort_by(|(a, one), (b, other)| other.balance.cmp(&one.balance).then(a.cmp(b)));
        let mut lines: Vec<String> = all
            .iter()
            .enumerate()
            .map(|(i, (id, account))| {
                let share = share_of(account.balance, supply).unwrap_or_default();
                format!(
                    "{:>3}. {:<20}{:>28}{:>10} {:>4}",
                    i + 1,
                    id.to_string(),
                    Grouped(account.balance),
                    Share(share),
                    account.mints
                )
            })
            .collect();
        lines.push(format!("{:=>70}", format!(" {} holders", lines.len())));
        lines.join("\n")
    }
}

/// In hundredths of a percent, rounded down; none where the product has no place in 128 bits.
pub fn share_of(part: u128, whole: u128) -> Option<u128> {
    part.checked_mul(10_000)?.checked_div(whole)
}

/// a * b / divisor, through 256 bits.
pub fn multiply_divide(a: u128, b: u128, divisor: u128) -> Option<u128> {
    const LOW: u128 = u64::MAX as u128;
    let (low, cross, other) = ((a & LOW) * (b & LOW), (a >> 64) * (b & LOW), (a & LOW) * (b >> 64));
    let middle = (low >> 64) + (cross & LOW) + (other & LOW);
    let mut high = (a >> 64) * (b >> 64) + (cross >> 64) + (other >> 64) + (middle >> 64);
    let mut rest = middle << 64 | low & LOW;
    if high == 0 {
        return rest.checked_div(divisor);
    }
    if high >= divisor {
        return None;
    }
    for _ in 0..128 {
        let carry = high >> 127 != 0;
        high = high << 1 | rest >> 127;
        rest <<= 1;
        if carry || high >= divisor {
            high = high.wrapping_sub(divisor);
            rest |= 1;
        }
    }
    Some(rest)
}
