// A worker to begin with, in Rust without crates: `rustc -O worker.rs`. It reads, checks and answers every
// line of the protocol; fill in `compute`, `apply` and `arity`, and claim the profiles that you have.
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

const STARTED: &str = r#"{"kind":"started","protocol":"1","contract":"2.1.0","profiles":["core"],"implementation":{"name":"mine","language":"Rust","version":"0.1","runtime":"native"}}"#;
const STOPPED: &str = r#"{"kind":"stopped"}"#;
// What belongs to `core`; other profiles have more commands. A limit of another command changes nothing.
const COMMANDS: &[&str] = &["introspect", "canonicalize", "evaluate"];
const LIMITS: &[&str] = &[
    "characters", "nodes", "variables", "sweep_nodes", "steps", "path_edges",
    "truth_work", "evaluations", "descent_nodes", "descent_numbers", "tangents",
];
const DEEPEST: usize = 100;

enum Json { Null, Bool, Number(f64), Text(String), Array(Vec<Json>), Object(Members) }
type Members = BTreeMap<String, Json>;

/// Why there is no result: `refused` or `skipped` and the reason, or `error` and its JSON.
type Fault = (&'static str, String);

/// A request of a program -> what the command asks for, as JSON: a document, an outline...
fn compute(command: &str, _request: &Members, _limits: Option<&Json>) -> Result<String, Fault> {
    Err(("skipped", format!("does not have {command}")))
}

/// Finite doubles -> the operation's result, or None outside of its domain.
fn apply(_operation: &str, operands: &[f64]) -> Option<f64> {
    Some(operands[0] + operands[1])
}

fn arity(operation: &str) -> Option<usize> {
    (operation == "+").then_some(2)
}

fn answer(line: &[u8]) -> String {
    let message = read(line);
    let sequence = match &message {
        Ok(Json::Object(all)) => all.get("sequence").and_then(whole),
        _ => None,
    };
    let (kind, member, text) = match message.and_then(|value| respond(&value)) {
        Ok(text) if sequence.is_none() => return text,
        Ok(text) => ("result", "result", text),
        Err(("error", json)) => ("error", "error", json),
        Err((kind, reason)) => (kind, "reason", format!("{reason:?}")),
    };
    let sequence = sequence.map_or("null".to_string(), |number| number.to_string());
    format!(r#"{{"kind":"{kind}","sequence":{sequence},"{member}":{text}}}"#)
}

/// A message -> the result of a `run`, or the whole response to another.
fn respond(message: &Json) -> Result<String, Fault> {
    let all = members(message, "the message")?;
    match text(all, "kind")? {
        "start" => {
            need_members(all, &["kind", "protocol"], &[])?;
            text(all, "protocol").map(|_| STARTED.into())
        }
        "stop" => need_members(all, &["kind"], &[]).map(|()| STOPPED.into()),
        "run" => run(all),
        _ => Err(wrong("kind")),
    }
}

fn run(all: &Members) -> Result<String, Fault> {
    all.get("sequence").and_then(whole).ok_or(wrong("sequence"))?;
    let command = text(all, "command")?;
    if !COMMANDS.contains(&command) {
        return Err(("skipped", "an unknown command".into())); // with whatever it has
    }
    let optional: &[&str] = if command == "evaluate" { &[] } else { &["limits"] };
    need_members(all, &["kind", "sequence", "command", "request"], optional)?;
    let request = members(&all["request"], "request")?;
    if command == "evaluate" {
        return evaluate(request);
    }
    if let Some(limits) = all.get("limits") {
        let limits = members(limits, "limits")?;
        need_members(limits, &[], LIMITS)?;
        need(limits.values().all(|bound| whole(bound).is_some()), "a limit")?;
    }
    compute(command, request, all.get("limits"))
}

fn evaluate(request: &Members) -> Result<String, Fault> {
    need_members(request, &["operation", "operands"], &[])?;
    let operation = text(request, "operation")?;
    let rows: Vec<Vec<f64>> = items(&request["operands"])?
        .iter()
        .map(|row| items(row)?.iter().map(double).collect())
        .collect::<Result<_, _>>()?;
    let arity = arity(operation).ok_or(("skipped", "an unknown operation".into()))?;
    need(rows.iter().all(|row| row.len() == arity), "a row")?;
    let results = rows.iter().map(|row| {
        let result = if row.iter().all(|x| x.is_finite()) { apply(operation, row) } else { None };
        result.map_or("null".to_string(), |x| format!("\"{:016x}\"", x.to_bits()))
    });
    Ok(format!("[{}]", results.collect::<Vec<_>>().join(",")))
}

fn wrong(what: &str) -> Fault {
    ("refused", format!("{what} is missing, unknown or wrong"))
}

fn need(right: bool, what: &str) -> Result<(), Fault> {
    if right { Ok(()) } else { Err(wrong(what)) }
}

fn need_members(all: &Members, required: &[&str], optional: &[&str]) -> Result<(), Fault> {
    need(required.iter().all(|name| all.contains_key(*name)), "a member")?;
    need(all.keys().all(|name| required.contains(&&**name) || optional.contains(&&**name)), "a member")
}

fn members<'a>(value: &'a Json, what: &str) -> Result<&'a Members, Fault> {
    if let Json::Object(all) = value { Ok(all) } else { Err(wrong(what)) }
}

fn text<'a>(all: &'a Members, name: &str) -> Result<&'a str, Fault> {
    if let Some(Json::Text(text)) = all.get(name) { Ok(text) } else { Err(wrong(name)) }
}

fn items(value: &Json) -> Result<&Vec<Json>, Fault> {
    if let Json::Array(items) = value { Ok(items) } else { Err(wrong("an array")) }
}

fn whole(value: &Json) -> Option<u64> {
    let Json::Number(number) = value else { return None };
    (number.fract() == 0.0 && (0.0..9007199254740992.0).contains(number)).then_some(*number as u64)
}

fn double(value: &Json) -> Result<f64, Fault> {
    match value {
        Json::Text(bits) if bits.len() == 16 && bits.bytes().all(|b| b"0123456789abcdef".contains(&b)) => {
            Ok(f64::from_bits(u64::from_str_radix(bits, 16).unwrap()))
        }
        _ => Err(wrong("an operand")),
    }
}

/// A line -> its one JSON value. Of members with one name the last counts.
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
            _ if self.take("true") || self.take("false") => Ok(Json::Bool), // no request needs to know which
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

    fn string(&mut self) -> Result<String, Fault> {
        need(self.take("\""), "a string")?;
        let mut units: Vec<u16> = vec![];
        loop {
            let each = self.text[self.at..].chars().next().ok_or(wrong("a string"))?;
            self.at += each.len_utf8();
            match each {
                '"' => return Ok(String::from_utf16_lossy(&units)), // half a surrogate pair is U+FFFD
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
