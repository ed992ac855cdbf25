//! A token that anyone can mint, one portion per transaction up to a cap, with accounts of its own: a contract of
//! Rust's size, with Rust's allocator, collections and formatting. Opcodes are those of the free mint and more.
mod call;
mod host;
mod ledger;
mod sha256;
mod transaction;
mod wire;

use call::{Call, Transfer};
use ledger::{multiply_divide, share_of, AlkaneId, Grouped, Ledger, Share};
use transaction::{Transaction, TxId};
use wire::{fault, text_of, Outcome};

/// Accounts are spread over so many keys.
const SHARDS: u128 = 4;
/// Hundredths of a percent of a mint that the contract's own account gets on top.
const FEE: u128 = 25;

type Run = fn(&mut Call) -> Outcome<()>;
const METHODS: &[(u128, &str, &[&str], Run)] = &[
    (0, "initialize", &["units", "value_per_mint", "cap", "name_part1", "name_part2", "symbol"], initialize),
    (77, "mint_tokens", &[], mint),
    (78, "withdraw", &["block", "tx", "amount"], withdraw),
    (79, "deposit", &["block", "tx"], deposit),
    (99, "get_name", &[], name),
    (100, "get_symbol", &[], symbol),
    (101, "get_total_supply", &[], supply),
    (102, "get_cap", &[], cap),
    (103, "get_minted", &[], minted),
    (105, "get_report", &[], report),
    (106, "get_quote", &["a", "b", "divisor"], quote),
    (107, "get_word", &["place"], word),
];

fn shard_key(who: AlkaneId) -> String {
    format!("/accounts/{:02}", who.tx % SHARDS)
}

fn ledger_at(call: &mut Call, key: &str) -> Outcome<Ledger> {
    call.text(key)?.parse()
}

fn titled(call: &mut Call) -> Outcome<String> {
    Ok(format!("{} ({})", call.text("/name")?, call.text("/symbol")?))
}

fn initialize(call: &mut Call) -> Outcome<()> {
    if call.number("/initialized")? != 0 {
        return fault("already initialized");
    }
    let (units, each, cap) = (call.input(1), call.input(2), call.input(3));
    let name = text_of(&[call.input(4), call.input(5)])?;
    let symbol = text_of(&[call.input(6)])?.to_uppercase();
    call.set_number("/initialized", 1);
    call.set_number("/value-per-mint", each);
    call.set_number("/cap", if cap == 0 { u128::MAX } else { cap });
    call.set("/name", name.trim());
    call.set("/symbol", &symbol);
    call.set_number("/totalsupply", units);
    // The first holders.
    for tx in 0..3 * SHARDS {
        let who = AlkaneId { block: 2, tx };
        let mut ledger = ledger_at(call, &shard_key(who))?;
        ledger.add(who, multiply_divide(units, tx + 1, 6 * SHARDS * (3 * SHARDS + 1)).unwrap_or(0))?;
        call.set(&shard_key(who), &ledger.to_string());
    }
    call.forward();
    if units != 0 {
        let id = call.context.myself;
        call.send(Transfer { id, value: units });
    }
    Ok(())
}

fn holder_of(id: TxId) -> AlkaneId {
    let number = id.0.iter().take(6).fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    AlkaneId { block: 9, tx: number }
}

fn mint(call: &mut Call) -> Outcome<()> {
    let transaction = Transaction::read(&host::transaction())?;
    let id = transaction.id();
    let seen = [b"/tx-hashes/".as_slice(), id.0.as_slice()].concat();
    if !call.get(&seen).is_empty() {
        return fault(format!("transaction {id} has minted"));
    }
    call.put(&seen, &[1]);
    let (count, cap) = (call.number("/minted")?, call.number("/cap")?);
    if count >= cap {
        return fault(format!("supply has reached its cap: {} of {}", Grouped(count), Grouped(cap)));
    }
    let value = call.number("/value-per-mint")?;
    let fee = multiply_divide(value, FEE, 10_000).unwrap_or(0);
    let before = call.number("/totalsupply")?;
    let supply = match before.checked_add(value).and_then(|sum| sum.checked_add(fee)) {
        Some(sum) => sum,
        None => return fault(format!("a supply of {} and {value} more", Grouped(before))),
    };
    call.set_number("/totalsupply", supply);
    call.set_number("/minted", count + 1);

    let (who, own) = (holder_of(id), call.context.myself);
    for (who, amount) in [(who, value), (own, fee)] {
        let key = shard_key(who);
        let mut ledger = ledger_at(call, &key)?;
        let account = ledger.add(who, amount)?;
        account.mints += 1;
        let share = share_of(account.balance, supply).unwrap_or_default();
        let line = format!("{who}: {} ({})", Grouped(account.balance), Share(share));
        call.set(&key, &ledger.to_string());
        call.say(&line);
    }
    let receipt = format!(
        "{}: {} for {id}, which pays {}; {} of {} minted",
        titled(call)?,
        Grouped(value),
        Grouped(transaction.paid().into()),
        Grouped(count + 1),
        if cap == u128::MAX { "any".to_string() } else { Grouped(cap).to_string() },
    );
    call.say(&receipt);
    call.forward();
    call.send(Transfer { id: own, value });
    Ok(())
}

fn withdraw(call: &mut Call) -> Outcome<()> {
    let (who, amount) = (AlkaneId { block: call.input(1), tx: call.input(2) }, call.input(3));
    let mut ledger = ledger_at(call, &shard_key(who))?;
    ledger.take(who, amount)?;
    call.set(&shard_key(who), &ledger.to_string());
    call.forward();
    let id = call.context.myself;
    call.send(Transfer { id, value: amount });
    call.say(&format!("{} from {who}", Grouped(amount)));
    Ok(())
}

fn deposit(call: &mut Call) -> Outcome<()> {
    let who = AlkaneId { block: call.input(1), tx: call.input(2) };
    let myself = call.context.myself;
    let (own, others): (Vec<_>, Vec<_>) =
        call.context.incoming.clone().into_iter().partition(|transfer| transfer.id == myself);
    if own.is_empty() {
        return fault(format!("nothing of {myself} among {:?}", call.context.incoming));
    }
    let mut ledger = ledger_at(call, &shard_key(who))?;
    for transfer in own {
        ledger.add(who, transfer.value)?;
    }
    let balance = ledger.accounts[&who].balance;
    call.set(&shard_key(who), &ledger.to_string());
    others.into_iter().for_each(|transfer| call.send(transfer));
    call.say(&format!("{who} has {}, {} are held", Grouped(balance), Grouped(call.balance(myself)?)));
    Ok(())
}

fn name(call: &mut Call) -> Outcome<()> {
    let text = titled(call)?;
    call.answer(text.into_bytes())
}
fn symbol(call: &mut Call) -> Outcome<()> {
    let text = call.text("/symbol")?;
    call.answer(text.into_bytes())
}
fn supply(call: &mut Call) -> Outcome<()> {
    answer_number(call, "/totalsupply")
}
fn cap(call: &mut Call) -> Outcome<()> {
    answer_number(call, "/cap")
}
fn minted(call: &mut Call) -> Outcome<()> {
    answer_number(call, "/minted")
}
fn answer_number(call: &mut Call, key: &str) -> Outcome<()> {
    let number = call.number(key)?;
    call.answer(number.to_le_bytes().to_vec())
}

fn report(call: &mut Call) -> Outcome<()> {
    let mut all = Ledger::default();
    for tx in 0..SHARDS {
        let part = ledger_at(call, &shard_key(AlkaneId { block: 0, tx }))?;
        all.accounts.extend(part.accounts);
    }
    let supply = call.number("/totalsupply")?;
    let text = format!("{}, {}\n{}", titled(call)?, Grouped(supply), all.report(supply));
    call.answer(text.into_bytes())
}

fn quote(call: &mut Call) -> Outcome<()> {
    let (a, b, divisor) = (call.input(1), call.input(2), call.input(3));
    match multiply_divide(a, b, divisor) {
        Some(result) => call.answer(format!("{a} * {b} / {divisor} = {result} = {result:#x}").into_bytes()),
        None => fault(format!("{a} * {b} / {divisor} has no 128 bits")),
    }
}

/// Panics where there is no such word.
fn word(call: &mut Call) -> Outcome<()> {
    let name = call.text("/name")?;
    let words: Vec<&str> = name.split_whitespace().collect();
    let word = words[usize::try_from(call.input(1)).expect("a place in a text")].to_string();
    call.answer(word.into_bytes())
}

#[no_mangle]
pub extern "C" fn __execute() -> *const u8 {
    std::panic::set_hook(Box::new(|panic| host::log(&panic.to_string())));
    call::run(|call| {
        let opcode = call.opcode()?;
        match METHODS.iter().find(|(number, ..)| *number == opcode) {
            Some((.., run)) => run(call),
            None => fault(format!("unrecognized opcode {opcode}")),
        }
    })
}

#[no_mangle]
pub extern "C" fn __meta() -> *const u8 {
    let methods: Vec<String> = METHODS
        .iter()
        .map(|(opcode, name, parameters, _)| {
            let parameters: Vec<String> = parameters
                .iter()
                .map(|name| format!("{{\"name\":\"{name}\",\"type\":\"u128\"}}"))
                .collect();
            format!(
                "{{\"name\":\"{name}\",\"opcode\":{opcode},\"params\":[{}],\"returns\":\"void\"}}",
                parameters.join(",")
            )
        })
        .collect();
    let text = format!("{{\"contract\":\"RustMint\",\"methods\":[{}]}}", methods.join(","));
    host::Buffer::of(text.as_bytes()).leak()
}
