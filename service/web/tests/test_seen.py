"""The page after a link and some actions: a table with one fact per row.

A row is an address, then actions and expectations as `reading.do` takes them. Numbers and
sentences are from the lessons (L), from a question (Q), or derived by hand.
"""

from typing import Any

import pytest

from service.web.tests.reading import DIAMOND, SUM, Seen, do

Row = tuple[str | Seen, ...]

SORT = DIAMOND.replace("break", "code&w=sort")
PRODUCT_OF_120 = f"#e={'*'.join('x' * 120)}&v=x:1"
LATE = f"{DIAMOND}&visits=4.5.2.0"
"""By hand: c sends 0 * 3 before d sends 1 * 3 to it; of a's 15 = 6 + 9 the 9 is lost."""

PLAY: dict[str, Row] = {
    # L: `1 x c = 10` toward (a+b), `1 x (a+b) = -1` toward c, then 10 to each of a and b.
    "each step brings one contribution": (
        *("", "Step", {"+ a + b": ("−1", "10"), ".sum": ["1 × 10 = 10"]}),
        *("Step", {"c": ("10", "−1"), "a": ("2", "--")}),
        *("Step", {"a": ("2", "10")}),
        {".sentence": "+ sends 10 × 1 = 10 to a. A sum passes its gradient on unchanged."},
        *("Step", {"b": ("−3", "10"), ".count": "4 of 4"}),
        {".sum": ["1 × 10 = 10", "1 × −1 = −1", "10 × 1 = 10", "10 × 1 = 10"]},
        *("Back", {"b": ("−3", "--")}),
    ),
    # L: a * a at 3 is 9, and both contributions of 3 add up to 6.
    "one variable twice is two arrows and a sum": (
        *("", "One variable, two edges", {".edge": 2}),
        *("Step", {"a": ("3", "3"), ".partial": "3 + …", ".sentence": "contribution 1 of 2 to a"}),
        *("Step", {"a": ("3", "6"), ".partial": "3 + 3", ".sentence": "contributions add up"}),
    ),
    "forward reveals data, and switching starts again": (
        *("", "Step", "Step", "Forward: data", {".count": "0 of 2", "+ a + b": ("--", "--")}),
        *("Step", {"+ a + b": ("−1", "--"), "× result": ("--", "--")}),
        *("Step", {"× result": ("−10", "--")}),
    ),
    # The gradients of a and b are 10, the largest; c's is -1. (2.1 - 3) * 10 is -9.
    "a pass ends with what matters most": (
        *("", "at the end", "Step"),
        {
            ".sentence": "a and b matter most, and equally. Change a by +0.1: its gradient "
            "predicts +1, the result changes by +1. Here the curve is straight. Only c pulls the "
            "result down."
        },
    ),
    # By hand: 3.01 ** 2 - 9 is 0.0601, of which the gradient 6 predicts 0.06.
    "a slope is shown next to the actual change": (
        "#e=a*a&v=a:3&s=9",
        {
            ".gradient-effect": "gradient 6. Change a by +0.01: its gradient predicts +0.06, "
            "the result changes by +0.0601."
        },
    ),
    # By hand: from 0.001 to 0.009, though the slope is -1.
    "a slope at a corner does not predict the change": (
        "#e=abs(x)&v=x:-0.001&s=9",
        {".gradient-effect": "predicts −0.01, the result changes by +0.008."},
    ),
    # 3.1 ** 2 - 9 is 0.61, but the gradient 6 predicts 0.6.
    "a pass ends with a note on curvature": (
        "#e=a*a+relu(b)&v=a:3,b:-1&s=99",
        {
            ".sentence": "its gradient predicts +0.6, the result changes by +0.61. The difference "
            "is the curvature. Nothing arrives at b"
        },
    ),
    "the table is in step": (
        *("", "Every number, as a table", "see #table table", *["Step"] * 3),
        {
            "tr[aria-current=step] th": "a + b → a",
            "tr[aria-current=step] td": ["10", "1", "10", "arrived"],
            "#table table >> nth=0 >> tr:last-child td": ["--", "--", "--", "not reached yet"],
        },
    ),
    # 120 factors x make 119 products with two edges each; a page of each table is shown.
    "the table of a large graph has pages": (
        *(PRODUCT_OF_120, "Every number, as a table", {"#table tbody tr": 200}),
        {"#table table >> nth=0": "Rows 1 to 100 of 238"},
        *("Later rows", {"#table table >> nth=0": "Rows 101 to 200 of 238"}),
        *("at the end", {"#table table >> nth=0": "Rows 201 to 238 of 238"}),
        {"#table table >> nth=0 >> tr.now": 1},
    ),
    "keys switch, play and pause": (
        *("", "f", {".play > button >> nth=0": "Play forward"}, "b"),
        *("3", {"[role=tab][aria-selected=true]": "Predict"}, "1"),
        *("hold", "Space", {".play > button >> nth=0": "Pause"}),
        *("Space", {".play > button >> nth=0": "Play backward"}),
        *("/", {"#expression:focus": 1}),
        *("#tab-values", "ArrowLeft", {"[role=tab][aria-selected=true]": "Train"}),
        *("ArrowRight", {"[role=tab][aria-selected=true]": "Values"}),
        *("?", {"#keyboard[open] summary:focus": 1}),
    ),
    "keys show the sort and come back": (
        *("", "s", "see .stack", {"[role=tab][aria-selected=true]": "Code"}),
        *("ArrowRight", {".sentence": "The sort begins at the result"}),
        *("b", {".stack": 0}, "ArrowRight", {".listing .now code": "child.grad += local_grad"}),
        *("End", {".count": "4 of 4"}, "ArrowLeft", {".count": "3 of 4"}),
    ),
    # L: a - b is a + (b * -1): with local derivatives shown, the graph has both.
    "derived operations are expanded": (
        *("#e=a-b&v=a:2,b:-3", {".card:not(.constant)": 3}, "Local derivatives"),
        {".card .name:text-is('−1')": 1, ".card .name": 5},
        *("Step", "Step", {".sentence": "to b * −1"}),
        {".sum": ["1 × 1 = 1", "1 × 1 = 1", "× −1"]},
    ),
}
BREAK: dict[str, Row] = {
    # L: d first, then b and c in either order, then a: grad[a] is 15.
    "a reverse topological order loses nothing": (
        *(f"{DIAMOND}&visits=5.4.2.0", "Run my order", "at the end", {".incorrect": 0}),
        {".verdict": {"Nothing is lost", "a gets 15.", "✓ Reverse topological order"}},
    ),
    # In a push walk the visit of an input does nothing, so a may come first.
    "an input may be visited first": (
        *(f"{DIAMOND}&visits=0.5.2.4", "Run my order", "at the end", {".incorrect": 0}),
        {".verdict": {"Nothing is lost", "a gets 15.", "✕ Reverse topological order: a before"}},
    ),
    "an order that loses is judged": (
        *(LATE, "Run my order", "at the end"),
        {
            ".verdict": {
                *("Lost: 9 from c", "c was visited before d had sent it 3."),
                *("a ends with 6, not 15.", "✕ Reverse topological order: c before d."),
                *("6 from b ✓", "9 from c ✕"),
            }
        },
    ),
    "lost contributions are marked on the stage": (
        *(f"{LATE}&ran=1", "at the end", {"a": ("2", "6"), "c": ("6", "3")}),
        {
            ".edge.lost[aria-label^='0 × 3 = 0, 9 lost, ']": 1,
            ".sum.lost .word": ", 9 lost",
            ".error-badge:text-is('9 short')": 1,
            ".error-badge:text-is('too late')": 1,
            ".visits li.off b": "c",
            ".card[data-node] .visit": 4,
        },
    ),
    "leaving the tab restores the correct walk": (
        *(f"{LATE}&ran=1", "at the end", "Values", "at the end", {"a": ("2", "15")}),
        {".visit, .lost, .late, .incorrect": 0},
    ),
    # The order of the forward pass loses everything.
    "no effect is shown before the order is run": (
        *(DIAMOND, {".visits b": list("abcd"), ".verdict": 0, "a": ("2", "--")}),
        *("Show a correct order", {".visits li:first-child b": "d", ".verdict": 0}),
        {".visits li:last-child b": "a"},
    ),
    # c sends 0, then d sends 6 and 3, b sends 6; the verdict comes after the last.
    "the effect of an order appears with the pass": (
        *(LATE, "Run my order", "at 0"),
        {".visits .effect": ["", "", "", "sends nothing on"]},
        *["Step"] * 3,
        {
            ".visits .effect": [
                *("sent 0 to a Too early", "sent 6 to b, 3 to c"),
                *("", "sends nothing on"),
            ],
            ".verdict": 0,
        },
        *("Step", {".verdict": "a ends with 6, not 15."}),
    ),
    "pressing cards makes an order of visits": (
        *(DIAMOND, "see .visits", *(f".card:has(b.name:text-is('{name}'))" for name in "dcb")),
        {".visits b": list("dcba")},
    ),
    "a new program resets the visits": (
        *(f"{LATE}&ran=1", "Expression := p * q", {".visits b": ["p", "q", "p * q"]}),
        {".verdict": 0},
        *("Use b = a + 1; c = a * 3; d = b * c", {".visits b": list("abcd")}),
    ),
    "an assignment names what it overwrites": (
        *("#e=x&t=break", "= for +=", "Step", {".lost": 0}),
        *("Step", {".sum.lost .word": "overwritten"}),
        {".sentence": "a * a sends 1 × 3 = 3 to a, overwriting 3."},
    ),
    # d = a * b + c: with a set to 5 between the passes, a * b gives b a local derivative of 5.
    "the sentence on changed data names the data that was read": (
        *("#e=x&t=break", "Changed data", "End"),
        {".sentence": {"sends 1 × 5 = 5 to b", "a is 5"}},
    ),
    "a mistake in the program has its cure on the stage": (
        *("#e=x&t=break", "Dead relu", "at the end", {"w": ("1", "0")}),
        *(
            {".comparison .bad": 0},
            ".body .segmented label >> nth=1",
            "at the end",
            {"w": ("1", "2"), "b": ("1", "1")},
        ),
    ),
    "a variable exponent is explained": (
        *("#e=x&t=break", "Variable exponent", {".verdict": "must be one number, not n"}),
        *("at the end", {"n": ("3", "5.55")}),
    ),
}
CODE: dict[str, Row] = {
    # Both operands of a * a send 3; the second one is added to the first.
    "the code shows what += keeps": (
        *("#e=a*a&v=a:3&t=code", "see .listing", "Step", "Step"),
        {".listing .now .line-values >> nth=-1": "3 → 6"},
        {".panel .body": "a had 3, which = would lose"},
    ),
    # d has sent both its contributions before b sends the third.
    "v goes down the reversed list": (
        *(DIAMOND.replace("break", "code"), "see .listing", *["Step"] * 3),
        {
            "role=list[name='reversed(topo)'] >> li": ["d", "c", "3", "b", "1", "a"],
            "li[aria-label='d, done']": 1,
            "li[aria-label='c, now']": 1,
            "li[aria-label$=', waiting']": 4,
        },
        *("at the end", {"li[aria-label$=', done']": 6}),
    ),
    # 120 values are visited and finished, 119 calls skipped; then the list is reversed.
    "a deep graph is sorted, and its lists are cut": (
        *(f"{PRODUCT_OF_120}&w=sort&t=code", "see .stack", "at 119"),
        {".count": "119 of 360", ".stack li >> nth=-1": "… 111 more"},
        *("at the end", {"ol.topo li >> nth=0": "… 96 more", "ol.topo li": 25}),
    ),
}
EXPRESSION: dict[str, Row] = {
    "a fault is underlined at its column, with its program": (
        *("", "Expression := 2x + 1"),
        {
            ".entry mark": "x",
            ".entry pre": "2x + 1",
            "[role=alert]": "Column 2: x is unexpected. An operator is missing between 2 and x.",
            "#expression[aria-invalid=true]": 1,
            "Expression :=": "2x + 1",
            ".sentence": "The last good graph: (a + b) * c. The graph will follow",
            ".play > button:disabled >> nth=0": "Play backward",
        },
        *("Use this", {"Expression :=": "2*x + 1", "[role=alert]": 0, ".card": 5}),
    ),
    "the last good graph stays and can be taken back": (
        *("", "Step", "Step", "Step", "Expression := (a + b) * ", {"a": ("2", "10")}),
        *("Back to (a + b) * c", {"Expression :=": "(a + b) * c"}),
        # A letter that makes a valid graph shows it, but the way back leads to the graph before.
        *("#expression", "Control+a", *"a+", "Back to (a + b) * c", {".card": 5}),
    ),
    "the opening names each part": (
        "#e=abs(a - a)&v=a:2",
        {".sentence": "a - a is 0; abs(a - a) is 0. Which"},
    ),
    "the name of a number is reported as not a variable": (
        "#e=x=3;x**2",
        {".panel .body": "x is a number here, not a variable"},
    ),
    "an invalid address is reported": (
        "#e=a&v=a:NaN",
        {".sentence": "The address could not be read: the value of a is not a number."},
        {"c": ("10", "--")},
    ),
    "a refused expression keeps its values": (
        *("#e=a**b&v=a:2,b:3&p=b", {"[role=alert]": 1, "address": "#e=a**b&v=a:2,b:3&p=b"}),
        *("Expression := a*b", {"b": ("3", "--"), "address": "#e=a*b&v=a:2,b:3&p=b"}),
    ),
    "a result that only the primitive view lacks is restored": (
        *("#e=sigmoid(a)&v=a:-800", {".card": 2}, "Local derivatives"),
        {"[role=alert]": "one part overflows"},
        *("Hide local derivatives", {"[role=alert]": 0, ".card": 2, "a": ("−800", "--")}),
    ),
    # A newline outside parentheses ends a statement; a one-line field shows `;` for it.
    "lines of an address are shown as they are parsed": (
        *("#e=c=(a%0A+b)%0A%0Ad=c*c%0A&v=a:2,b:3", {"[role=alert]": 0}),
        {"Expression :=": "c=(a +b);\u0020d=c*c;", "d": ("25", "--")},
        *("Expression := c=(a+b); d=c*c;e=d+1", {"e": ("26", "--")}),
    ),
}
VALUES: dict[str, Row] = {
    "values without a result are kept and can be taken back": (
        *("#e=log(a)*b&v=a:2,b:3", "Value of a := -2", {"[role=alert]": "numbers above 0"}),
        {"Value of a :=": "\u22122", "address": "#e=log(a)*b&v=a:-2,b:3"},
        # The curve still shows where a result exists.
        *("Slope with respect to a", {".plot": 1, ".curve .here": 0}),
        *("Back to the last values", {"Value of a :=": "2", "[role=alert]": 0}),
    ),
    "an address whose values have no result has its own sliders": (
        *("#e=log(x)&v=x:-2", {"[role=alert]": 1, ".parity[data-state=agree]": 1}),
        {"Value of x :=": "\u22122"},
        *("Slope with respect to x", {".legend": "as x goes from"}),
        *("#slider-x := 1", {"[role=alert]": 0, "log": ("0", "--")}),
    ),
    "an invalid number is marked and kept": (
        *("", "Value of a := two", {"#panel [aria-invalid=true]": 1, "a": ("2", "--")}),
        *("#slider-b := 4", {"Value of a :=": "two"}),
        *("Value of a := 1.5", {"#panel [aria-invalid=true]": 0, "a": ("1.5", "--")}),
    ),
    "an invalid end of a slider is marked and kept": (
        *("", "Minimum of a := low", {"#panel [aria-invalid=true]": 1, "Minimum of a :=": "low"}),
        *("Minimum of a := 99", {"#panel [aria-invalid=true]": 1, "Minimum of a :=": "99"}),
        *("Minimum of a := -2", {"#panel [aria-invalid=true]": 0, "#slider-a[min='-2']": 1}),
    ),
    "no gradient is shown before it has arrived": (
        *("", {".panel .body": {"not reached yet"}, ".curve-button.waiting": 3}),
        *("Step", "Step", {".curve-button.waiting": 2}, "Slope with respect to c"),
        *({".tangent": 1}, "Back", {".tangent": 0}),
    ),
    # L: the loss (w*x + b - y) ** 2 at w = 2 has the gradient 12.
    "an open curve shows its slope and marks parameters": (
        *("", ".chip.more", "A loss to learn from", "at the end", "Slope with respect to w"),
        {".legend": "tangent, slope 12", ".curve-detail .chip[aria-pressed=true]": "Parameter ✓"},
        *("Parameter ✓", {".curve-detail .chip[aria-pressed=true]": 0}),
    ),
    # At a small enough scale each last bit is a jump.
    "a curve that jumps everywhere does not block the page": (
        *("#e=sin(100000000000000000*a)&v=a:1", "at the end"),
        *("Slope with respect to a", "see .curve.large"),
        *("#slider-a := 4", {"Value of a :=": "4"}),
    ),
}
PREDICT: dict[str, Row] = {
    # Q: what is df/da with a=2, b=-3, c=10? And the sibling?
    "predictions are checked, and hints name the rule": (
        *("", "Predict", "grad of a := 10", "grad of b := 10.001", "grad of c := 10"),
        {
            ".guesses .good": ["✓ Right.", "✓ Right."],
            ".guesses .bad": ["✕ not 10"],
            ".hint": "The other factor is a + b",
            "a": ("2", "10 ✓"),
            "c": ("10", "?"),
        },
        *("grad of c := -1", {".outcome": "All correct"}),
    ),
    "gradients that were played are hidden before a prediction": (
        *("", "at the end", {"a": ("2", "10")}, "Predict", {"a": ("2", "?"), ".count": "0 of 4"}),
        *(".", "f", "b", ".", {".play :disabled": 4, ".count": "0 of 4"}),
        {".sentence": "is −10. How fast does the result change with each variable?"},
        *("grad of a := 10", "grad of b := 10", "grad of c := -1", {".play :disabled": 0}),
    ),
    "one answer can be revealed": (
        *(f"{SUM}&t=predict", "Show me a", {"grad of a :=": "10"}),
        {"#panel button:text-is('Show me b')": 1},
    ),
    "a task is begun, and a question answered": (
        *("#e=x&t=predict", "Start", {"Expression :=": "(a + b) * c", ".tasks li b": ["now"]}),
        *("#answer := 7", {".task [role=status]": "✕ Not quite."}),
        *("#answer := 10", {".task [role=status]": ["✓ Right."]}),
        *("Next question", {".task label": "2 of 4"}),
    ),
}
ACCURACY: dict[str, Row] = {
    "accuracy is left with its example": (
        *("#e=(a+b)*c&v=a:2,b:-3,c:10&a=1&s=99", {".bits[aria-label*=' 53 of 53 bits']": 10}),
        *("The diamond", {".bits": 0}),
    ),
    # The double next to 0.1 is 0.1000000000000000055511151231257827; 0.5 and 3 are doubles.
    "the exact value is shown": (
        *("#e=0.5*x&v=x:3&a=1", {".sentence": "The bar under a number"}, "see .bits"),
        ".card.root .bits.data",
        {".sentence": "All 53 bits of data of 0.5*x are correct: it is exactly 1.5."},
    ),
    "the exact value is that of the given doubles": (
        *("#e=0.1*x&v=x:3&a=1", "see .bits", ".card.root .bits.data"),
        {".sentence": "The exact value is for the given doubles: 0.1 is 0.10000000000000000555."},
    ),
    # Half of the slope of max goes to each of two equal operands; 2 is y's own slope.
    "a slope at a kink is reported as a choice": (
        *("#e=max(x,0)%2B2*y&v=x:0,y:1&a=1&s=9", "[aria-label^='grad of x:']"),
        {".sentence": "max(x,0) is at its kink, where the slope is a choice"},
        "[aria-label^='grad of y:']",
        {".sentence": ["All 53 bits of grad of y are correct: it is exactly 2."]},
    ),
    "gradients of a wrong walk have no exact value": (
        *("#e=a*a&v=a:3&t=break&a=1&m=second-backward", "at the end", "see .bits.data"),
        *({".bits.grad": 0}, "✓ Right", "at the end", "see .bits.grad"),
    ),
    # The slope of each term cancels, which takes 1,280 bits of its sine and cosine.
    "too much work is reported": (
        *(f"#e={'+'.join(['sin(x)**2+cos(x)**2'] * 30)}&v=x:1&a=1",),
        {".sentence": "too much work for the page", ".bits": 0},
    ),
    "a bar and an arrow are explained in Train": (
        *("#e=0.5*w&v=w:3&p=w&t=train&a=1", "see .bits", ".card.root .bits.data"),
        {".sentence": "All 53 bits of data of 0.5*w are correct"},
        *(".sum", {".sentence": "∂(0.5 * w)/∂w = 0.5"}),
        *(".play .step", {".sentence": 0}),
    ),
}
TRAIN: dict[str, Row] = {
    "three inputs have no map": (
        "#e=(w*x*y-z)**2&v=w:2,x:1,y:1,z:1&p=w&t=train",
        *("see .facts", {".decisions": 0}),
    ),
    "one input has no map": (
        "#e=(w*x)**2&v=w:2,x:1&p=w&t=train",
        *("see .facts", {".decisions": 0}),
    ),
    "a button of training shows the pitfall of zero_grad": (
        *("#e=(a-3)*(a-3)&v=a:1&p=a&t=train", "see .facts", "Break it: Forget zero_grad"),
        {".mistakes .chip[aria-pressed=true]": "Forget zero_grad", "Expression :=": "(a-3)*(a-3)"},
    ),
    "without parameters the page asks which may learn": (
        *("#e=(a-3)*(a-3)&v=a:1&t=train", {"#panel": "Which variables may learn?"}),
        *("#panel .wraps button:text-is('a')", {".facts dd >> nth=1": "4"}),
        *("Expression := (a - 3) * (a - 3) + 1", {".facts dd >> nth=1": "5"}),
    ),
    "a step far too large reports where it ends": (
        *(f"{SUM}&t=train", "A line", "Step size, as a number := 1e300", "Step"),
        {".verdict": "Step 1 failed:"},
    ),
    # At 0.1 the error changes its sign and keeps its size: w is 0.8 or 2, the loss stays
    # at 4, and its gradients at 12 and 4.
    "too large a step jumps from side to side": (
        *(f"{SUM}&t=train", "A line", "Try 0.1", "Step", {".facts dd": ["1", "4", "12.65"]}),
        "Timeline: one tick per step of training := 7",
        {".facts dd": ["7", "4", "12.65"], "× w * x": ("2.4", "−4")},
    ),
}
LANGUAGE: dict[str, Row] = {
    "the start page keeps the chosen language": (
        *("#e=a*a&v=a:3&t=predict&lang=ru", ".brand", {"Выражение :=": "(a + b) * c"}),
        {"html[lang=ru]": 1, "[role=tab][aria-selected=true]": "Значения"},
        {"address": "v=a:2,b:-3,c:10&lang=ru"},
    ),
    **{
        f"{named or 'none'} is an unknown language, so the page is in English": (
            f"#e=a*a&v=a:3&lang={named}",
            {"h1": "Gradient sandbox", "html[lang=en]": 1, "a": ("3", "--")},
            {
                ".sentence": f"no language {named} here: the page is in English."
                if named
                else "is 9"
            },
        )
        for named in ("__proto__", "<script>", "")
    },
}
TABLE = PLAY | BREAK | CODE | EXPRESSION | VALUES | PREDICT | ACCURACY | TRAIN | LANGUAGE


@pytest.mark.parametrize("fact", TABLE)
def test_it_is_seen(open_page: Any, fact: str) -> None:
    address, *parts = TABLE[fact]
    do(open_page(address), *parts)
