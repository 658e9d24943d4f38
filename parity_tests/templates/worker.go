// A worker template in Go without packages: `go build worker.go`, or `go mod init worker` and `go build`. It reads,
// checks and answers every line of the protocol; fill in compute, apply and arity, with files of your own, and claim
// the profiles that you have.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var started = read([]byte(`{"kind": "started", "protocol": "1", "contract": "2.1.0", "profiles": ["core"],
	"implementation": {"name": "mine", "language": "Go", "version": "0.1", "runtime": "` + runtime.Version() + `"}}`)).(Members)

// The commands of `core`; other profiles have more. Limits of other commands change nothing.
var commands = []string{"introspect", "canonicalize", "evaluate"}

// Limits has every limit of R32, here with its default.
type Limits map[string]int

var defaults = Limits{
	"characters": 65_536, "nodes": 10_000, "variables": 1_000, "sweep_nodes": 1_000_000, "steps": 20_000,
	"path_edges": 20_000, "truth_work": 1_000_000, "evaluations": 1_000_000, "descent_nodes": 5_000_000,
	"descent_numbers": 100_000, "tangents": 200_000,
}

// Text is a JSON string in UTF-16, high byte first. A UTF-8 string cannot hold half a surrogate pair, and `<` is the
// order of R31 and R33.
type Text string

// Members is a JSON object. Other values are nil, bool, float64, Text and []any; values to write may also be int,
// string or Span.
type Members map[Text]any

// Span has offsets into the text in code points, the end exclusive (R27).
type Span struct{ start, end int }

// fault is a response that is not a result. It is thrown by panic.
type fault Members

// A request, unchecked, and all limits -> the command's result: a document, an outline...
func compute(command string, request Members, limits Limits) any {
	panic(fault(object("kind", "skipped", "reason", "does not have "+command)))
}

// Finite doubles -> the operation's result, or false outside of its domain.
func apply(operation string, operands []float64) (float64, bool) {
	return operands[0] + operands[1], true
}

var arity = map[string]int{"+": 2}

// The contract's error (R30), to be thrown: its code, a Span or nil, and the names and values of that code's data.
func contractError(code string, span any, data ...any) fault {
	content := object(data...)
	maps.Copy(content, object("code", code, "message", code, "span", span)) // the message is for people: write a sentence
	return fault(object("kind", "error", "error", content))
}

// Alternating names and values -> an object.
func object(pairs ...any) Members {
	all := Members{}
	for i := 0; i < len(pairs); i += 2 {
		all[text(pairs[i].(string))] = pairs[i+1]
	}
	return all
}

func text(utf8 string) Text {
	return textOf(utf16.Encode([]rune(utf8)))
}

func textOf(units []uint16) Text {
	var out []byte
	for _, unit := range units {
		out = binary.BigEndian.AppendUint16(out, unit)
	}
	return Text(out)
}

func (t Text) units() []uint16 {
	out := make([]uint16, len(t)/2)
	for i := range out {
		out[i] = uint16(t[2*i])<<8 | uint16(t[2*i+1])
	}
	return out
}

// String has U+FFFD for half a pair, and as many code points.
func (t Text) String() string {
	return string(utf16.Decode(t.units()))
}

// The canonical text of R33.
func canonical(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case float64:
		return digits(value)
	case string:
		return quoted(text(value))
	case Text:
		return quoted(value)
	case Span:
		return canonical(object("start", value.start, "end", value.end))
	case []any:
		items := make([]string, len(value))
		for i, item := range value {
			items[i] = canonical(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case Members:
		members := make([]string, 0, len(value))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			members = append(members, quoted(name)+":"+canonical(value[name]))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return fmt.Sprint(value) // an int or a bool
}

// A double as ECMAScript writes it.
func digits(number float64) string {
	if size := math.Abs(number); size == 0 {
		return "0" // without a sign
	} else if size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(number, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent) // without the 0 of e-07
	return fmt.Sprintf("%se%+d", mantissa, power)
}

func quoted(t Text) string {
	out, units := []byte{'"'}, t.units()
	for i := 0; i < len(units); i++ {
		each := rune(units[i])
		if i+1 < len(units) {
			if both := utf16.DecodeRune(each, rune(units[i+1])); both != utf8.RuneError {
				each = both
				i++
			}
		}
		if place := strings.IndexRune("\"\\\b\f\n\r\t", each); place >= 0 {
			out = append(out, '\\', `"\bfnrt`[place])
		} else if each < ' ' || utf16.IsSurrogate(each) {
			out = fmt.Appendf(out, `\u%04x`, each)
		} else {
			out = utf8.AppendRune(out, each)
		}
	}
	return string(append(out, '"'))
}

func answer(line []byte) (response Members) {
	var sequence any
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case fault:
			response = Members(thrown)
			response[text("sequence")] = sequence
		default:
			response = object("kind", "crashed", "sequence", sequence, "message", fmt.Sprint(thrown),
				"traceback", string(debug.Stack()))
		}
	}()
	value := read(line)
	message, is := value.(Members)
	need(is, "the message")
	if number, is := whole(message[text("sequence")]); is {
		sequence = number
	}
	switch get[Text](message, "kind") {
	case text("start"):
		needMembers(message, []string{"kind", "protocol"})
		get[Text](message, "protocol")
		return started
	case text("stop"):
		needMembers(message, []string{"kind"})
		return object("kind", "stopped")
	case text("run"):
		need(sequence != nil, "sequence")
		return object("kind", "result", "sequence", sequence, "result", run(message))
	}
	panic(wrong("kind"))
}

func run(message Members) any {
	command := get[Text](message, "command").String()
	if !slices.Contains(commands, command) {
		panic(fault(object("kind", "skipped", "reason", "an unknown command"))) // whatever its other members
	}
	required := []string{"kind", "sequence", "command", "request"}
	if command == "evaluate" {
		needMembers(message, required)
		return evaluate(get[Members](message, "request"))
	}
	needMembers(message, required, "limits")
	request, limits := get[Members](message, "request"), maps.Clone(defaults)
	if _, given := message[text("limits")]; given {
		given := get[Members](message, "limits")
		needMembers(given, nil, slices.Collect(maps.Keys(defaults))...)
		for name, bound := range given {
			limit, is := whole(bound)
			need(is, "a limit")
			limits[name.String()] = limit
		}
	}
	return compute(command, request, limits)
}

var bits = regexp.MustCompile(`^[0-9a-f]{16}$`)

func evaluate(request Members) any {
	needMembers(request, []string{"operation", "operands"})
	operation := get[Text](request, "operation").String()
	var rows [][]float64
	for _, row := range get[[]any](request, "operands") {
		items, is := row.([]any)
		need(is, "a row")
		var operands []float64
		for _, item := range items {
			digits, is := item.(Text)
			need(is && bits.MatchString(digits.String()), "an operand")
			number, _ := strconv.ParseUint(digits.String(), 16, 64)
			operands = append(operands, math.Float64frombits(number))
		}
		rows = append(rows, operands)
	}
	count, is := arity[operation]
	if !is {
		panic(fault(object("kind", "skipped", "reason", "an unknown operation")))
	}
	results := []any{}
	for _, row := range rows {
		need(len(row) == count, "a row")
		var result any
		if !slices.ContainsFunc(row, func(x float64) bool { return x-x != 0 }) { // neither infinite nor NaN
			if out, is := apply(operation, row); is {
				result = fmt.Sprintf("%016x", math.Float64bits(out))
			}
		}
		results = append(results, result)
	}
	return results
}

func wrong(what string) fault {
	return fault(object("kind", "refused", "reason", what+" is missing, unknown or wrong"))
}

func need(right bool, what string) {
	if !right {
		panic(wrong(what))
	}
}

func needMembers(all Members, required []string, optional ...string) {
	for _, name := range required {
		_, is := all[text(name)]
		need(is, name)
	}
	for name := range all {
		need(slices.Contains(required, name.String()) || slices.Contains(optional, name.String()), name.String())
	}
}

func get[T any](all Members, name string) T {
	value, is := all[text(name)].(T)
	need(is, name)
	return value
}

func whole(value any) (int, bool) {
	number, is := value.(float64)
	is = is && number >= 0 && number < 1<<53 && number == math.Trunc(number)
	if !is {
		return 0, false
	}
	return int(number), true
}

// A line -> its JSON value. If members have the same name, the last counts.
func read(line []byte) any {
	need(utf8.Valid(line), "UTF-8")
	r := reader(line)
	value := r.value(0)
	r.skip()
	need(r == "", "what follows the value")
	return value
}

// reader has the rest of a line.
type reader string

func (r *reader) skip() {
	*r = reader(strings.TrimLeft(string(*r), " \t\r\n"))
}

func (r *reader) take(token string) bool {
	r.skip()
	rest, found := strings.CutPrefix(string(*r), token)
	*r = reader(rest)
	return found
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)

func (r *reader) value(depth int) any {
	switch {
	case r.take("["):
		items := []any{}
		r.list("]", depth, func() { items = append(items, r.value(depth+1)) })
		return items
	case r.take("{"):
		all := Members{}
		r.list("}", depth, func() {
			need(r.take(`"`), "a name")
			name := r.text()
			need(r.take(":"), "a colon")
			all[name] = r.value(depth + 1)
		})
		return all
	case r.take(`"`):
		return r.text()
	case r.take("null"):
		return nil
	case r.take("true"):
		return true
	case r.take("false"):
		return false
	}
	digits := number.FindString(string(*r))
	need(digits != "", "a value")
	*r = (*r)[len(digits):]
	double, _ := strconv.ParseFloat(digits, 64) // the nearest double, or infinity
	return double
}

func (r *reader) list(end string, depth int, item func()) {
	need(depth < 100, "the depth")
	if r.take(end) {
		return
	}
	for item(); !r.take(end); item() {
		need(r.take(","), "a comma")
	}
}

func (r *reader) text() Text {
	var units []uint16
	for {
		each, size := utf8.DecodeRuneInString(string(*r))
		*r = (*r)[size:]
		switch {
		case each == '"':
			return textOf(units)
		case each == '\\':
			units = append(units, r.escape())
		case each < ' ' || size == 0:
			panic(wrong("a string"))
		default:
			units = utf16.AppendRune(units, each)
		}
	}
}

func (r *reader) escape() uint16 {
	need(len(*r) >= 1, "an escape")
	letter := (*r)[0]
	*r = (*r)[1:]
	if letter == 'u' {
		digits := (*r)[:min(4, len(*r))]
		*r = (*r)[len(digits):]
		unit, err := strconv.ParseUint(string(digits), 16, 16)
		need(len(digits) == 4 && err == nil, "an escape")
		return uint16(unit)
	}
	place := strings.IndexByte(`"\/bfnrt`, letter)
	need(place >= 0, "an escape")
	return uint16("\"\\/\b\f\n\r\t"[place])
}

func main() {
	lines, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			return
		}
		response := answer(line)
		fmt.Fprintln(out, canonical(response))
		out.Flush()
		if response[text("kind")] == "stopped" {
			return
		}
	}
}
