/** schemas/rewrites.json as it is there, and what it says: how people write, as data. */

import { FUNCTIONS } from "../operations.ts";

/** The file's text; a test holds it to that. */
export const TEXT = String.raw`{
  "characters": {
    "-": "−–—‐‑﹣", "*": "×·⋅∙∗✕✖", "/": "÷∕⁄",
    "0": "₀", "1": "₁", "2": "₂", "3": "₃", "4": "₄", "5": "₅", "6": "₆", "7": "₇", "8": "₈", "9": "₉",
    " ": "\u00a0\u1680\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "\u0000": "\u200b\u200c\u200d\u2060\ufeff\u00ad"
  },
  "raised": "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻",
  "letters": {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "εϵ", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μµ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σς",
    "tau": "τ", "upsilon": "υ", "phi": "φϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "yhat": "ŷ", "ybar": "ȳ"
  },
  "signs": {"0.5": "½", "0.25": "¼", "0.75": "¾", "sqrt": "√", "cbrt": "∛"},
  "latex": {"*": "cdot times ast", "/": "div", "|": "lvert rvert vert", "": "left right quad displaystyle , ; ! :"},
  "mathematical": "^(?![\\s\\S]*(?:[A-Za-z)]\\.[A-Za-z]|\\bdef |\\blambda ))(?:[^*]*(?![\\s\\S])|[\\s\\S]*(?:(?:^|[^A-Za-z0-9_.])[0-9.]+ *[A-Za-df-z(]|[²³)Ͱ-Ͽ] *[A-Za-z0-9(]|[A-Za-z] +[A-Za-z]))",
  "exponential": "(?:^|[^A-Za-z0-9_.])e *(?:\\^|\\*\\*) *-? *[^-0-9. ]",
  "head": "[ \\t\\n\\r]*(?:(?:let|const|var|return) +)?(?:def [A-Za-z0-9_]+ *\\([^()]*\\)[^:()]*:[ \\t\\n]*return\\b|(?:[A-Za-z0-9_]+ *= *)?(?:lambda\\b[^:()]*:|(?:\\([A-Za-z0-9_, ]*\\)|[A-Za-z0-9_]+) *=>)|([A-Za-zͰ-Ͽ_][A-Za-z0-9Ͱ-Ͽ₀-₉_]*) *\\([A-Za-z0-9Ͱ-Ͽ₀-₉_, ]*\\) *:?=(?!=)|=(?!=))?",
  "tokens": {
    "blank": "[ \\t\\r\\u0000]+",
    "number": "(?:[0-9]+(?:_[0-9]+)*\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    "name": "(?:(?:np|numpy|jnp|jax|torch|math|Math|tf|F|nn|K|sp|sympy|scipy|special)\\.(?:[A-Za-z]+\\.)*)?(?:[A-Za-z][A-Za-z0-9]*_\\{[A-Za-z0-9]+\\}|[A-Za-z_][A-Za-z0-9_]*)",
    "letter": "[Ͱ-Ͽµŷȳ](?:_\\{[A-Za-z0-9]+\\}|_[A-Za-z0-9]+|[0-9]+)?",
    "sign": "[√∛½¼¾]",
    "raised": "[⁺⁻]?[⁰¹²³⁴-⁹]+",
    "symbol": "\\*\\*|:=|[-+*/^(){}|=,;.\\n]"
  },
  "refused": [
    ["comparison", "[<>≤≥≠≈?&]|==|!="], ["quotes", "[\"“”‘’\u0060]"], ["integral", "∫"], ["factorial", "!"],
    ["derivative", "['′∂∇]|\\bd[A-Za-z]? */ *d[A-Za-z]\\b|\\b(?:derivative|gradient|differentiate)\\b"],
    ["remainder_or_percent", "%"], ["vector", "[∑Σ∏@\\[]"], ["infinite", "∞"], ["degrees", "°"],
    ["plus_or_minus", "[±∓]"], ["update", "[-+*/]="],
    ["conditional", "\\b(?:if|else|and|or|not|then|where|for|in|is|when|of)\\b"],
    ["two_readings", "//|\\|\\||[0-9][·⋅∙][0-9]|[0-9] +[0-9.]|[0-9][½¼¾]|[½¼¾][0-9]|[Δ∆δ][A-Za-z]"],
    ["two_readings", "\\b[0-9.]+[ijfLeE]\\b(?! *[\\^*])|\\be *(?:\\^|\\*\\*)[^+\\n]{0,30}\\b[0-9]*[ij]\\b"],
    ["two_readings", "\\b(?:sin|cos|tan|log|ln|exp|sqrt)(?![hbcdn]\\b)[A-Za-z]\\b"],
    ["two_readings", "\\([^();,]*,[^();]*;|\\([^();,]*;[^();]*,"],
    ["two_readings", "\\bm(?:ax|in)\\((?=[^(),]*,[^(),]*,)[^()]*[0-9],[0-9]"],
    ["unknown", "[0-9][₀-₉]|\\b0[xXbBoO][0-9A-Fa-f]"]
  ],
  "constants": {"pi": "3.141592653589793", "e": "2.718281828459045"},
  "formulas": {
    "ln(x)": "log({0})", "log10(x)": "log({0}) / log(10)", "log2(x)": "log({0}) / log(2)",
    "log1p(x)": "log(1 + {0})", "expm1(x)": "exp({0}) - 1", "exp2(x)": "exp({0} * log(2))",
    "exp10(x)": "exp({0} * log(10))", "tan(x)": "sin({0}) / cos({0})", "cot(x)": "cos({0}) / sin({0})",
    "sec(x)": "1 / cos({0})", "csc(x)": "1 / sin({0})", "sinh(x)": "(exp({0}) - exp(-{0})) / 2",
    "cosh(x)": "(exp({0}) + exp(-{0})) / 2", "coth(x)": "1 / tanh({0})",
    "sech(x)": "2 / (exp({0}) + exp(-{0}))", "csch(x)": "2 / (exp({0}) - exp(-{0}))",
    "asinh(x)": "log({0} + sqrt({0} ** 2 + 1))", "acosh(x)": "log({0} + sqrt({0} ** 2 - 1))",
    "atanh(x)": "log((1 + {0}) / (1 - {0})) / 2", "square(x)": "{0} ** 2", "rsqrt(x)": "1 / sqrt({0})",
    "reciprocal(x)": "1 / {0}", "negative(x)": "-{0}", "cbrt(x)": "{0} * abs({0}) ** -0.6666666666666666",
    "sign(x)": "{0} / abs({0})", "logit(x)": "log({0} / (1 - {0}))", "logsigmoid(x)": "-softplus(-{0})",
    "silu(x)": "{0} * sigmoid({0})", "mish(x)": "{0} * tanh(softplus({0}))",
    "elu(x)": "max({0}, 0) + exp(min({0}, 0)) - 1",
    "elu(x, y)": "max({0}, 0) + {1} * (exp(min({0}, 0)) - 1)",
    "leaky_relu(x, y)": "max({0}, 0) + {1} * min({0}, 0)", "relu6(x)": "min(relu({0}), 6)",
    "hardtanh(x)": "min(max({0}, -1), 1)", "softsign(x)": "{0} / (1 + abs({0}))",
    "tanhshrink(x)": "{0} - tanh({0})", "hypot(x, y)": "sqrt({0} ** 2 + {1} ** 2)",
    "logaddexp(x, y)": "log(exp({0}) + exp({1}))", "logsumexp(x, y)": "log(exp({0}) + exp({1}))",
    "add(x, y)": "{0} + {1}", "subtract(x, y)": "{0} - {1}", "multiply(x, y)": "{0} * {1}",
    "divide(x, y)": "{0} / {1}", "mse(x, y)": "({0} - {1}) ** 2", "mae(x, y)": "abs({0} - {1})",
    "avg(x, y)": "({0} + {1}) / 2",
    "selu(x)": "1.0507009873554805 * (max({0}, 0) + 1.6732632423543772 * (exp(min({0}, 0)) - 1))",
    "celu(x)": "max({0}, 0) + exp(min({0}, 0)) - 1", "clip(x, y, z)": "min(max({0}, {1}), {2})",
    "clamp(x, n, n)": "min(max({0}, {1}), {2})", "log(x, n)": "log({0}) / log({1})", "frac(x, y)": "{0} / {1}"
  },
  "aliases": {
    "max": "maximum fmax", "min": "minimum fmin", "abs": "absolute fabs", "sigmoid": "logistic expit",
    "silu": "swish", "pow": "power powf", "sign": "sgn", "cot": "ctg", "tan": "tg", "csc": "cosec",
    "asinh": "arcsinh arsinh", "acosh": "arccosh arcosh", "atanh": "arctanh artanh", "avg": "average",
    "logsigmoid": "log_sigmoid", "leaky_relu": "leakyrelu", "log10": "log_10",
    "log2": "log_2", "ln": "log_e", "multiply": "mul", "subtract": "sub",
    "divide": "div truediv true_divide", "negative": "neg"
  },
  "needs": {"cbrt": " != 0", "sign": " != 0"},
  "no_formula": [
    "acos acosd acot acoth acsc acsch arccos arccot arccsc arcsec arcsin arctan arctan2 arg asec asech asin asind",
    "atan atan2 atand besselj beta ceil ceiling cosd derivative det diff digamma erf erfc erfinv expi factorial fix",
    "floor fmod gamma gammaln gcd hardshrink heaviside int integrate isqrt j0 lambertw lcm lgamma mid mod prelu",
    "rand random remainder round rrelu sind step tand trunc zeta"
  ],
  "vector": [
    "amax amin argmax argmin cross_entropy cumsum dot glu log_softmax matmul mean mean_squared_error median nanmax",
    "nanmin norm prod reduce_mean reduce_sum softmax softmin std sum var"
  ],
  "two_readings": {
    "root": [], "nthroot": [], "surd": [], "LOG": ["log({0}) / log(10)", "log({0})"], "Log": ["log({0}) / log(10)", "log({0})"],
    "gelu": ["0.5 * {0} * (1 + tanh(0.7978845608028654 * ({0} + 0.044715 * {0} ** 3)))"],
    "sqr": ["{0} ** 2", "sqrt({0})"],
    "sinc": ["sin({0}) / {0}", "sin(3.141592653589793 * {0}) / (3.141592653589793 * {0})"],
    "lg": ["log({0}) / log(10)", "log({0}) / log(2)"],
    "lb": ["log({0}) / log(2)", "log({0}) / log(10)"],
    "hardsigmoid": ["min(relu({0} + 3), 6) / 6", "min(max(0.2 * {0} + 0.5, 0), 1)"],
    "leaky_relu": ["max({0}, 0) + 0.01 * min({0}, 0)", "max({0}, 0) + 0.2 * min({0}, 0)"]
  }
}`;

type Rows = Readonly<Record<string, string>>;

type Tables = Readonly<Record<"mathematical" | "exponential" | "head" | "raised", string>> &
  Readonly<Record<"characters" | "letters" | "signs" | "latex" | "tokens" | "constants", Rows>> &
  Readonly<Record<"formulas" | "aliases" | "needs", Rows>> & {
    readonly refused: readonly (readonly [reason: string, pattern: string])[];
    readonly no_formula: readonly string[];
    readonly vector: readonly string[];
    readonly two_readings: Readonly<Record<string, readonly string[]>>;
  };

export const TABLES = JSON.parse(TEXT) as Tables;

/** Map each character, or each word, to the key of its row. */
function inverted(rows: Rows, separator = ""): Map<string, string> {
  const pairs = Object.entries(rows);
  return new Map(pairs.flatMap(([key, row]) => row.split(separator).map((word) => [word, key])));
}

export const CHARACTERS = inverted(TABLES.characters);
for (let code = 0x21; code < 0x7f; code += 1) {
  CHARACTERS.set(String.fromCharCode(code + 0xfee0), String.fromCharCode(code));
}
export const LETTERS = inverted(TABLES.letters);
export const SIGNS = inverted(TABLES.signs);
export const ALIASES = inverted(TABLES.aliases, " ");
export const LATEX = inverted(TABLES.latex, " ");
export const FORMULAS = new Map(Object.entries(TABLES.formulas));
export const NEEDS = new Map(Object.entries(TABLES.needs));
export const CONSTANTS = new Map(Object.entries(TABLES.constants));
export const TWO_READINGS = new Map(Object.entries(TABLES.two_readings));
export const NO_FORMULA = new Set(TABLES.no_formula.join(" ").split(" "));
export const VECTOR = new Set(TABLES.vector.join(" ").split(" "));
/** Functions that a text may call, whether the language has a formula for them or not. */
export const KNOWN = new Set([
  ...FUNCTIONS.keys(),
  ...[...FORMULAS.keys()].map((call) => call.slice(0, call.indexOf("("))),
  "pow",
  ...[ALIASES, TWO_READINGS, NO_FORMULA, VECTOR].flatMap((names) => [...names.keys()]),
]);
