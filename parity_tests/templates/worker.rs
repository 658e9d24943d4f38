// A worker template in Rust without crates: `rustc --edition 2021 -O worker.rs`, or as `src/main.rs` of
// `cargo init --name worker`. It reads, checks and answers every line of the protocol; fill in `compute`, `apply` and
// `arity`, with modules of your own, and claim the profiles that you have.
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};

const STARTED: &str = r#"{"kind":"started","protocol":"1","contract":"2.1.0","profiles":["core"],"implementation":{"name":"mine","language":"Rust","version":"0.1","runtime":"native"}}"#;
const STOPPED: &str = r#"{"kind":"stopped"}"#;
// The commands of `core`; other profiles have more. Limits of other commands change nothing.
const COMMANDS: &[&str] = &["introspect", "canonicalize", "evaluate"];
const LIMITS: [(&str, usize); 11] = [
    ("characters", 65_536), ("nodes", 10_000), ("variables", 1_000), ("sweep_nodes", 1_000_000),
    ("steps", 20_000), ("path_edges", 20_000), ("truth_work", 1_000_000), ("evaluations", 1_000_000),
    ("descent_nodes", 5_000_000), ("descent_numbers", 100_000), ("tangents", 200_000),
];
const DEEPEST: usize = 100;

/// A JSON value, written as the canonical text of R33.
#[derive(Clone, PartialEq)]
pub enum Json { Null, Bool(bool), Number(f64), Text(Utf16), Array(Vec<Json>), Object(Members) }
/// Not a `String`, which cannot hold half a surrogate pair: `char::decode_utf16`, `String::from_utf16_lossy`.
pub type Utf16 = Vec<u16>;
/// In UTF-16 order, as R31 and R33 have it.
pub type Members = BTreeMap<Utf16, Json>;
/// Offsets into the text in code points, the end exclusive (R27).
pub type Span = (usize, usize);
pub type Limits = BTreeMap<&'static str, usize>;
/// Returned instead of a result: `refused` or `skipped` with a reason, or `error` with the result of `error`.
pub type Fault = (&'static str, Json);

/// A request, unchecked, and all limits -> the command's result: a document, an outline...
fn compute(command: &str, _request: &Members, _limits: &Limits) -> Result<Json, Fault> {
    Err(("skipped", format!("does not have {command}").into()))
}

/// Finite doubles -> the operation's result, or None outside of its domain.
fn apply(_operation: &str, operands: &[f64]) -> Option<f64> {
    Some(operands[0] + operands[1])
}

fn arity(operation: &str) -> Option<usize> {
    (operation == "+").then_some(2)
}

/// The contract's error (R30): its code, where it is in the text, and the data of that code.
pub fn error<'a>(code: &str, span: Option<Span>, data: impl IntoIterator<Item = (&'a str, Json)>) -> Fault {
    let Json::Object(mut all) = object(data) else { unreachable!() };
    all.insert(utf16("code"), code.into());
    all.insert(utf16("message"), code.into()); // for people: write a sentence
    all.insert(utf16("span"), span.into());
    ("error", Json::Object(all))
}

pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (utf16(name), value)).collect())
}

pub fn utf16(text: &str) -> Utf16 {
    text.encode_utf16().collect()
}

impl From<&str> for Json {
    fn from(text: &str) -> Json { Json::Text(utf16(text)) }
}

impl From<String> for Json {
    fn from(text: String) -> Json { text.as_str().into() }
}

impl From<f64> for Json {
    fn from(number: f64) -> Json { Json::Number(number) }
}

impl From<usize> for Json {
    fn from(number: usize) -> Json { Json::Number(number as f64) }
}

impl From<Span> for Json {
    fn from((start, end): Span) -> Json { object([("start", start.into()), ("end", end.into())]) }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json { value.map_or(Json::Null, T::into) }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => write!(f, "null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(number) => write!(f, "{}", digits(*number)),
            Json::Text(units) => write!(f, "{}", quoted(units)),
            Json::Array(items) => write!(f, "[{}]", joined(items.iter().map(Json::to_string))),
            Json::Object(all) => {
                write!(f, "{{{}}}", joined(all.iter().map(|(name, value)| format!("{}:{value}", quoted(name)))))
            }
        }
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

/// A double as ECMAScript writes it. Of two shortest texts that are equally near, Rust may take the odd one.
fn digits(number: f64) -> String {
    let shortest = format!("{:e}", number.abs());
    let places = shortest.find('e').unwrap().saturating_sub(2);
    let nearest = format!("{:.places$e}", number.abs());
    let text = if nearest.parse() == Ok(number.abs()) { nearest } else { shortest };
    let (mantissa, exponent) = text.split_once('e').unwrap();
    let (all, point) = (mantissa.replace('.', ""), exponent.parse::<isize>().unwrap() + 1);
    let sign = if number < 0.0 { "-" } else { "" }; // none before a zero
    let zeros = |count: isize| "0".repeat(count.unsigned_abs());
    match point {
        -5..=0 => format!("{sign}0.{}{all}", zeros(point)),
        1..=21 if all.len() as isize <= point => format!("{sign}{all}{}", zeros(point - all.len() as isize)),
        1..=21 => format!("{sign}{}.{}", &all[..point as usize], &all[point as usize..]),
        _ => format!("{sign}{mantissa}e{:+}", point - 1),
    }
}

fn quoted(units: &[u16]) -> String {
    let escaped = char::decode_utf16(units.iter().copied()).map(|each| match each {
        Ok(each) => match "\"\\\x08\x0c\n\r\t".find(each) {
            Some(place) => format!("\\{}", &"\"\\bfnrt"[place..=place]),
            None if each < ' ' => format!("\\u{:04x}", each as u32),
            None => each.to_string(),
        },
        Err(half) => format!("\\u{:04x}", half.unpaired_surrogate()),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

fn answer(line: &[u8]) -> String {
    let message = read(line);
    let sequence = match &message {
        Ok(Json::Object(all)) => get(all, "sequence").and_then(whole),
        _ => None,
    };
    let (kind, content) = match message.and_then(|value| respond(&value)) {
        Ok(Response::Whole(text)) => return text.into(),
        Ok(Response::Result(value)) => ("result", value),
        Err(fault) => fault,
    };
    let member = if matches!(kind, "result" | "error") { kind } else { "reason" };
    object([("kind", kind.into()), ("sequence", sequence.into()), (member, content)]).to_string()
}

enum Response { Whole(&'static str), Result(Json) }

fn respond(message: &Json) -> Result<Response, Fault> {
    let all = members(message, "the message")?;
    match text(all, "kind")?.as_str() {
        "start" => {
            need_members(all, &["kind", "protocol"], &[])?;
            text(all, "protocol").map(|_| Response::Whole(STARTED))
        }
        "stop" => need_members(all, &["kind"], &[]).map(|()| Response::Whole(STOPPED)),
        "run" => run(all).map(Response::Result),
        _ => Err(wrong("kind")),
    }
}

fn run(all: &Members) -> Result<Json, Fault> {
    get(all, "sequence").and_then(whole).ok_or(wrong("sequence"))?;
    let command = text(all, "command")?;
    if !COMMANDS.contains(&command.as_str()) {
        return Err(("skipped", "an unknown command".into())); // whatever its other members
    }
    let optional: &[&str] = if command == "evaluate" { &[] } else { &["limits"] };
    need_members(all, &["kind", "sequence", "command", "request"], optional)?;
    let request = members(&all[&utf16("request")], "request")?;
    if command == "evaluate" {
        return evaluate(request);
    }
    let mut limits: Limits = LIMITS.iter().copied().collect();
    if let Some(given) = get(all, "limits") {
        let given = members(given, "limits")?;
        need_members(given, &[], &LIMITS.map(|(name, _)| name))?;
        for (name, limit) in &mut limits {
            let Some(bound) = get(given, name) else { continue };
            *limit = whole(bound).ok_or(wrong("a limit"))?;
        }
    }
    compute(&command, request, &limits)
}

fn evaluate(request: &Members) -> Result<Json, Fault> {
    need_members(request, &["operation", "operands"], &[])?;
    let operation = &text(request, "operation")?;
    let rows: Vec<Vec<f64>> = items(&request[&utf16("operands")])?
        .iter()
        .map(|row| items(row)?.iter().map(double).collect())
        .collect::<Result<_, _>>()?;
    let arity = arity(operation).ok_or(("skipped", "an unknown operation".into()))?;
    need(rows.iter().all(|row| row.len() == arity), "a row")?;
    let results = rows.iter().map(|row| {
        let result = if row.iter().all(|x| x.is_finite()) { apply(operation, row) } else { None };
        result.map(|x| format!("{:016x}", x.to_bits())).into()
    });
    Ok(Json::Array(results.collect()))
}

fn wrong(what: &str) -> Fault {
    ("refused", format!("{what} is missing, unknown or wrong").into())
}

fn need(right: bool, what: &str) -> Result<(), Fault> {
    if right { Ok(()) } else { Err(wrong(what)) }
}

fn need_members(all: &Members, required: &[&str], optional: &[&str]) -> Result<(), Fault> {
    need(required.iter().all(|name| get(all, name).is_some()), "a member")?;
    need(all.keys().all(|name| required.iter().chain(optional).any(|each| utf16(each) == *name)), "a member")
}

pub fn get<'a>(all: &'a Members, name: &str) -> Option<&'a Json> {
    all.get(&utf16(name))
}

fn members<'a>(value: &'a Json, what: &str) -> Result<&'a Members, Fault> {
    if let Json::Object(all) = value { Ok(all) } else { Err(wrong(what)) }
}

fn text(all: &Members, name: &str) -> Result<String, Fault> {
    if let Some(Json::Text(units)) = get(all, name) { Ok(String::from_utf16_lossy(units)) } else { Err(wrong(name)) }
}

fn items(value: &Json) -> Result<&Vec<Json>, Fault> {
    if let Json::Array(items) = value { Ok(items) } else { Err(wrong("an array")) }
}

fn whole(value: &Json) -> Option<usize> {
    let Json::Number(number) = value else { return None };
    (number.fract() == 0.0 && (0.0..9007199254740992.0).contains(number)).then_some(*number as usize)
}

fn double(value: &Json) -> Result<f64, Fault> {
    match value {
        Json::Text(units) if units.len() == 16 && units.iter().all(|each| utf16("0123456789abcdef").contains(each)) => {
            Ok(f64::from_bits(u64::from_str_radix(&String::from_utf16_lossy(units), 16).unwrap()))
        }
        _ => Err(wrong("an operand")),
    }
}

/// A line -> its JSON value. If members have the same name, the last counts.
fn read(line: &[u8]) -> Result<Json, Fault> {
    let text = std::str::from_utf8(line).map_err(|_| wrong("UTF-8"))?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    need(reader.next() == 0, "what follows the value")?;
    Ok(value)
}

struct Reader<'a> { text: &'a str, at: usize }

impl Reader<'_> {
    fn byte(&self) -> u8 {
        *self.text.as_bytes().get(self.at).unwrap_or(&0)
    }

    /// Skip blanks; 0 is the end.
    fn next(&mut self) -> u8 {
        while b" \t\r\n".contains(&self.byte()) { self.at += 1 }
        self.byte()
    }

    fn take(&mut self, token: &str) -> bool {
        self.next();
        let found = self.text[self.at..].starts_with(token);
        if found { self.at += token.len() }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        match self.next() {
            b'[' | b'{' if depth == DEEPEST => Err(wrong("the depth")),
            b'[' => {
                let mut items = vec![];
                self.list("[", "]", |reader| Ok(items.push(reader.value(depth + 1)?)))?;
                Ok(Json::Array(items))
            }
            b'{' => {
                let mut all = Members::new();
                self.list("{", "}", |reader| {
                    let name = reader.string()?;
                    need(reader.take(":"), "a colon")?;
                    all.insert(name, reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Json::Object(all))
            }
            b'"' => Ok(Json::Text(self.string()?)),
            _ if self.take("null") => Ok(Json::Null),
            _ if self.take("true") => Ok(Json::Bool(true)),
            _ if self.take("false") => Ok(Json::Bool(false)),
            _ => self.number(),
        }
    }

    fn list(&mut self, open: &str, close: &str, mut item: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.take(open);
        if self.take(close) { return Ok(()) }
        loop {
            item(self)?;
            if self.take(close) { return Ok(()) }
            need(self.take(","), "a comma")?;
        }
    }

    fn number(&mut self) -> Result<Json, Fault> {
        let start = self.at;
        while self.byte().is_ascii_alphanumeric() || b"+-.".contains(&self.byte()) { self.at += 1 }
        let text = &self.text[start..self.at];
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let right = [whole, fraction, exponent].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        need(right && (whole == "0" || !whole.starts_with('0')), "a number")?;
        text.parse().map(Json::Number).map_err(|_| wrong("a number")) // the nearest double, or infinity
    }

    fn string(&mut self) -> Result<Utf16, Fault> {
        need(self.take("\""), "a string")?;
        let mut units = vec![];
        loop {
            let each = self.text[self.at..].chars().next().ok_or(wrong("a string"))?;
            self.at += each.len_utf8();
            match each {
                '"' => return Ok(units),
                '\\' => units.push(self.escape()?),
                '\0'..='\x1f' => return Err(wrong("a string")),
                _ => units.extend_from_slice(each.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, Fault> {
        let letter = self.byte();
        self.at += 1;
        if letter == b'u' {
            let digits = self.text.get(self.at..self.at + 4).filter(|all| all.bytes().all(|b| b.is_ascii_hexdigit()));
            self.at += 4;
            return digits.map(|all| u16::from_str_radix(all, 16).unwrap()).ok_or(wrong("an escape"));
        }
        let place = b"\"\\/bfnrt".iter().position(|each| *each == letter).ok_or(wrong("an escape"))?;
        Ok(u16::from(b"\"\\/\x08\x0c\n\r\t"[place]))
    }
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().split(b'\n') {
        let response = answer(&line?);
        writeln!(io::stdout(), "{response}")?; // flushes at the end of the line
        if response == STOPPED { break }
    }
    Ok(())
}
