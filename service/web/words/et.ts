/**
 * Estonian. Marks in sentences are those of the English file.
 *
 * Learners are addressed as sina. Names and code take no case ending: the noun before them does.
 * Doubtful translations are marked `unsure`.
 */

import type { Translation } from "./en.ts";
import type { RuleWords } from "./sentences.ts";
import { counted, faultSentences, tableOf } from "./translated.ts";
import type { FaultWords } from "./translated.ts";

const VERBS: Readonly<Record<string, string>> = {
  "+": "pluss",
  "-": "miinus",
  "*": "korda",
  "/": "jagatud",
  "**": "astmes",
};

export const first: Translation["first"] = {
  language: "et",
  languages: "Keel",
  title: "Gradientide liivakast",
  tagline: "Kirjuta valem, läbi see tagurpidi ja vaata, kui palju iga sisend loeb.",
  skip: "Liivakasti juurde",
  site: "Sait",
  lesson: "Õppetund",
  expression: "Avaldis",
  share: "Jaga",
  examples: "Näited",
  notLoaded: (what) => `${what}: ei saanud laadida, ühendust ei ole.`,
  part: "See osa",
  tryAgain: "Proovi uuesti",
  of: (part, whole) => `${part} / ${whole}`,
  stage: {
    name: "Graaf",
    graphOf: (text, result) => `Avaldise ${text} graaf, tulemus ${result}`,
    way: "Läbimise suund",
    forward: "Edasi: data",
    sort: "Järjestus",
    backward: "Tagasi: grad",
    local: "Lokaalsed tuletised",
    final: "Lõplikud gradiendid",
    options: "Valikud",
    input: "sisend",
    parameter: "param.",
    constant: "konst.",
    result: "tulemus",
    derived: "liittehe", // unsure: an operation that could be composed of others
    from: (name) => `sõlmest ${name}`,
    to: (name) => `sõlme ${name}`,
  },
  play: {
    backward: "Tagasilevi",
    forward: "Edasilevi", // unsure: also “otselevi”
    sort: "Järjesta",
    again: "Uuesti",
    pause: "Paus",
    back: "Eelmine",
    step: "Samm",
    timeline: {
      forward: "Ajatelg: üks jaotis, üks tehe",
      sort: "Ajatelg: üks jaotis, üks järjestamise samm",
      backward: "Ajatelg: üks jaotis, üks serv",
    },
    begin: { forward: "sisendid", sort: "algus", backward: "algus" },
  },
  tabs: {
    values: "Väärtused",
    code: "Kood",
    predict: "Ennusta",
    break: "Vead",
    train: "Treeni",
  },
  workbench: "Töölaud",
  seed: "Milline sisend mõjutab tulemust ja kui palju? Käivita tagasilevi.",
  seedForward: "Sisendid on teada. Käivita edasilevi ja vaata, kuidas tulemus arvutatakse.",
  is: (part, value) => `\`${part}\` on [d:${value}]`,
  makes: (operation, left, right, result) =>
    `${left}${VERBS[operation]} \`${right}\` on [d:${result}].`,
  resultOne: "Tulemuse gradient tulemuse enda järgi on 1.",
};

const EXAMPLES = tableOf([
  "sum-times-factor | Esimene graaf | Summa annab gradiendi muutmata edasi, korrutis vahetab operandid. Nii on c gradient sama mis a + b.",
  "micrograd-loss | micrograd ja selle L | Igal sammul on nimi ja ahelareegel käib läbi kolmest: a gradient on f korda 1 korda b.",
  "square-by-product | Üks muutuja, kaks serva | Avaldise a * a mõlemad servad jõuavad samasse a-sse ja 3 + 3 = 6 on ruudu tõus. Märgi += asemel oleks = andnud 3.",
  "diamond | Romb | Tagasi a juurde viib kaks teed: 6 tuleb b kaudu ja 9 c kaudu. Külastus saadab selle, mis on saabunud: külasta c enne kui d, ja 9 läheb kaotsi.",
  "negative-gradient | Üles on alla | Negatiivne gradient: suurenda veidi a väärtust ja tulemus väheneb neli korda rohkem.",
  "tanh-neuron | Karpathy neuron | Kaks sisendit, kaks kaalu, nihe ja tanh. w2 ei õpi midagi, sest x2 on 0; see, mille õppetund ümardab arvuks 0.5, on double kujul 0.4999999999999999.",
  "dead-neuron | Surnud neuron | Allpool läve ei lase relu gradienti läbi ja kaalud seisavad paigal. Tõsta b üle -6 ja neuron ärkab ellu.",
  "squared-error | Kadu, millest õppida | Sirge w * x + b eksib y suhtes 2 võrra ja gradiendid ütlevad, kuhu nihutada w ja b. Astendaja on konstant: gradient sinna ei jõua.",
  "logistic | Logistiline funktsioon | Tõenäosus mis tahes arvust, nelja tehtega. Selle tõus on p * (1 - p), kõige rohkem 1/4.",
  "cross-entropy | Logistiline regressioon | softplus(z) - y * z on ristentroopia sigmoid(z) ja y vahel. Selle tõus z järgi on sigmoid(z) - y: nii palju tõenäosus eksib.",
  "sine-and-cosine | Kaks teed, mis taanduvad | Summa on 1 iga x korral, nii et kaks teed x juurde taanduvad: 0.84 siinuse ja -0.84 koosinuse kaudu.",
  "log-sum-exp | Softmax on gradient | Avaldise log-sum-exp gradiendid on selle operandide softmax: kaks tõenäosust, mille summa on 1.",
  "quotient | Jagatis ühe tehtena | 49 / 49 on 1: üks tehe, üks ümardamine. See on märgitud liittehteks, sest micrograd koostab selle tehetest * ja **.",
  "quotient-from-primitives | Jagatis tehetest * ja ** | Sama jagatis kujul a * b ** -1, kaks korda ümardatud, erineb arvust 1 viimase biti võrra. Nii on ka õppetundide mootoris.",
  "roots-that-cancel | Numbrikohad, mis taanduvad | Juurte esimesed 13 numbrikohta on samad ja järele jääb vaid ülejäänu: 5 kohta on õiged. 1 / (sqrt(x + 1) + sqrt(x)) on sama arv kõigi kohtadega.",
  "saturated-tanh | Tõus, mis kaob | tanh(20) ümardub arvuks 1, nii et selle tõus 1 - out * out on 0; tegelikult on see 1.7e-17. Nii kaugel ei õpi neuron midagi.",
  "softplus-by-hand | softplus käsitsi | 1 + exp(-40) ümardub arvuks 1, mille logaritm on 0; tegelikult on see 4.2e-18, nagu ütleb softplus(x). Gradiendi kõik kohad on õiged.",
  "variance-below-zero | Dispersioon alla 0 | Ruutude keskmine miinus keskmise ruut: kahe arvu dispersioon, mille vahe on 2, on 1, aga tuleb -128. Gradiendid on täpsed.",
  "lost-in-a-sum | Summas kaduma läinud | Arvu 1e16 lähedal on double sammuga 2: summa ümardub arvuks 1e16 ja x-ist ei jää midagi. Gradient on ikkagi õige.",
]);

const PITFALLS = tableOf([
  "assigning-instead-of-adding | = märgi += asemel | Kaks korda kasutatud sõlm saab kaks panust. Omistav tagasilevi jätab alles ainult viimase ja on õige, kuni midagi ei jagata. | Kirjuta `grad +=`, mitte kunagi `grad =`.",
  "wrong-order | Sõlm enne oma kasutajaid | b annab edasi selle, mis tal külastuse ajal on. Enne kui d on külastatud, ei ole tal veel midagi, ja 6 sõlmest d tuleb liiga hilja. | Külasta sõlmi pööratud topoloogilises järjestuses.",
  "second-backward | backward() kaks korda ilma nullimata | Kahe läbimise gradiendid liituvad. See on rohkem kui kahekordne: ka a * b gradient on vana, nii et a ja b saavad kolm korda oma osa. | Sea enne iga tagasilevi kõik gradiendid väärtusele 0, ka sisemistes sõlmedes.",
  "mutation-before-backward | Andmeid muudeti enne kui backward() | Sulundid loevad operande siis, kui backward käib. Kui a saab pärast edasilevi väärtuse 5, segab b gradient kaks programmi. | Muuda andmeid alles siis, kui backward() on tehtud, ja tee siis edasilevi uuesti.",
  "dead-relu | relu, mis kunagi ei õpi | Alla 0 ei anna relu midagi edasi ja ükski kaal enne seda ei muutu. Gradiendid on õiged, aga kasutud: treenimine peatub. | Alusta sealt, kus relu on üle 0: kui b = 1, on w gradient 2.",
  "variable-exponent | Muutuja astendajana | micrograd diferentseerib ainult aluse järgi ja jätab astendaja gradiendi vaikides väärtusele 0. See mootor ei võta seda vastu. | Kirjuta `exp(n * log(x))`, millel on mõlemad gradiendid.",
]);

export const FAULTS: FaultWords = {
  character: "Märki `{found}` selles keeles ei ole.",
  cyrillic: "See on kirillitsa täht.",
  otherSign: "Kirjuta tähti a–z, numbreid, _ ja märke + - * / ** ( ) = , ;",
  equals: "`=` on ainult nime järel alguses, näiteks `y = x + 1`; võrdlusi ei ole.",
  comma: "Koma ainult eraldab funktsiooni argumente.",
  closing: "See `)` on üleliigne: ükski sulg ei ole avatud.",
  unnamedLine: "Nimeta võib olla ainult viimane rida; teised kirjuta kujul `y = …`.",
  beforeEnd: "Siin on puudu arv, nimi või sulg.",
  before: "Märgi `{found}` ees on puudu arv, nimi või `(`.",
  call: "Funktsiooni kutsumiseks kirjuta `{call}`.",
  product: "Märkide `{last}` ja `{found}` vahel on puudu tehe.",
  endsOpen: "Avaldis katkeb. Lisa, mis puudub, või sulge sulg: `)`.",
  ends: "Avaldis katkeb. Siin on puudu arv, nimi või `(`.",
  unknown_function: "`{name}` ei ole funktsioon.",
  meant: "Kas mõtlesid `{meant}`?",
  wrong_arity: "Funktsioon `{name}` vajab väärtusi: {expected}, mitte {actual}.",
  exponent_not_literal:
    "Astendaja saab olla ainult arv: astet diferentseeritakse aluse järgi. Kui x > 0, kirjuta `x ** y` asemel `exp(y * log(x))`.",
  duplicate_name: "Nimi `{name}` on juba kasutusel. Vali tulemusele teine.",
  unused_name: "Tulemus ei sõltu nimest `{name}`. Kasuta seda või jäta ära.",
  missing_value: "Nimel `{name}` ei ole väärtust.",
  "domain /": "Jagamine arvuga 0.",
  "domain sqrt": "Ruutjuur on ainult arvudel alates arvust 0.",
  "domain log": "Logaritm on ainult arvudel üle 0.",
  "domain **": "Negatiivsel alusel ei ole murrulist astet.",
  zeroPower: "Arvul 0 ei ole negatiivset astet.",
  outside: "Nende arvude jaoks ei ole `{operation}` määratud.",
  literal: "See arv on suurem kui suurim double, 1.7976931348623157e308.",
  steep: "Kohal 0 on tõus lõpmatu: `{operation}`. Võta väärtus üle 0.",
  largeGradient: "Gradient on double jaoks liiga suur.",
  largeNumber: "Arv on double jaoks liiga suur.",
  largeResult: "Tehte `{operation}` tulemus on double jaoks liiga suur.",
  closer: "Võta väärtused, mis on lähemal arvule 0.",
  characters: "Avaldis on liiga pikk: joonistatakse kuni {limit} märki.",
  nodes: "Graafis on üle {limit} sõlme. Kirjuta lühem programm.",
  work: "Liiga palju tööd: {actual}, piir on {limit}.",
  other: "Seda ei saa arvutada: `{code}`.",
};

const RULES: RuleWords = {
  sends: ({ from, to, incoming, local, contribution }) =>
    `\`${from}\` saadab sõlmele \`${to}\` panuse [g:${incoming}] × [d:${local}] = [g:${contribution}]`,
  oneOf: (arrived, expected, to) => `See on sõlme \`${to}\` panus ${arrived} / ${expected}.`,
  together: (to, sum) => `Koos teistega on sõlmes \`${to}\` nüüd [g:${sum}]: panused liituvad.`,
  computed: (name, text, value) => `\`${name}\` ehk \`${text}\` on [d:${value}].`,
  plainly: (operation, slope) => `Tehte ${operation} tuletis on \`${slope}\`.`,
  rules: {
    "+": "Summa annab gradiendi muutmata edasi.",
    "-": "Vähendatav saab gradiendi muutmata.",
    "-1": "Lahutatav saab selle vastupidise märgiga.",
    "*": (other, local) => `Korrutis korrutab selle teise teguriga: \`${other}\` on [d:${local}].`,
    "/": (other) => `Jagatis jagab ka gradiendi läbi arvuga \`${other}\`.`,
    "/1": "Mida suurem on jagaja, seda vähem loeb selle muutus.",
    "**": "Astendaja tuuakse teguriks ette ja seda vähendatakse 1 võrra.",
    neg: "Vastandarv vahetab märgi.",
    relu: "Üle 0 annab relu selle muutmata edasi.",
    "relu dead": "Alla 0 on relu lame ega anna midagi edasi.",
    abs: "abs annab gradiendi edasi, kui operand on üle 0, vahetab märgi, kui see on alla, ja peatab selle, kui operand on 0.",
    min: "min annab gradiendi väiksemale operandile; võrdsed saavad kumbki poole.",
    max: "max annab gradiendi suuremale operandile; võrdsed saavad kumbki poole.",
  },
  hints: {
    "+": (_, of) => `Summa annab edasi selle, mis ta on saanud. Mida on saanud \`${of}\`?`,
    "*": (other) =>
      `Korrutis korrutab gradiendi teise teguriga. Teine tegur on \`${other}\`: mis on selle väärtus?`,
    "/1": "Avaldise 1 / x tuletis on −1 / x ** 2.",
  },
  hintTwice: (name) => `Muutujat \`${name}\` kasutatakse mitu korda: panused liituvad.`,
};

const BROKEN: Translation["interaction"]["broken"] = {
  mistakes: "Vead",
  chips: {
    "wrong-order": "Vale järjekord",
    "assigning-instead-of-adding": "= märgi += asemel",
    "second-backward": "Unusta zero_grad",
    "mutation-before-backward": "Muudetud andmed",
    "dead-relu": "Surnud relu",
    "variable-exponent": "Muutuv astendaja",
  },
  known: PITFALLS,
  title: "Pane külastused järjekorda, esimesest viimaseni",
  how: "Siin sõlmed saadavad: iga külastus annab operandidele edasi selle, mis on seni saabunud. Lohista külastust või kasuta nuppe.",
  earlier: "Varem",
  later: "Hiljem",
  sent: (amounts) => `saatis ${amounts}`,
  sentTo: (amount, to) => `${amount} → ${to}`,
  sendsNothing: "ei saada midagi",
  tooEarly: "Liiga vara",
  run: "Minu järjekord",
  showRight: "Näita õiget järjekorda",
  take: (text) => `Võta ${text}`,
  tooMany: (count, most) =>
    `Selles graafis tuleb külastada ${counted("et", count, "sõlm", "sõlme")}; käsitsi saab järjestada kuni ${most}.`,
  losses: (amounts) => `✕ Kaotsis: ${amounts}`,
  from: (amount, by) => `${amount} sõlmest ${by}`,
  wrongEnd: "✕ Gradiendid on valed",
  nothingLost: "✓ Midagi ei läinud kaotsi",
  ends: (name, has, right) => `Sõlmes \`${name}\` on lõpuks [g:${has}], mitte [g:${right}].`,
  gets: (name, right) => `\`${name}\` saab [g:${right}].`,
  visitedBefore: (operand, operation, amount) =>
    `Sõlme \`${operand}\` külastati, enne kui \`${operation}\` oli talle saatnud [g:${amount}].`,
  reverse: "Pööratud topoloogiline järjestus",
  standsBefore: (operand, operation) => `\`${operand}\` on enne kui \`${operation}\`.`,
  harmless: "Sisendi külastus ei saada midagi, nii et see võib tulla mis tahes ajal.",
  should: (name, right) => `Mida ${name} peaks saama: ${right}`,
  wrong: "Vale",
  right: "Õige",
  onStage: "Graafil näidatakse",
  variable: "Muutuja",
  cure: "Abinõu",
  refused: "See mootor ei võta seda vastu:",
  changes: (name, value) =>
    `Edasilevi ja tagasilevi vahel saab \`${name}\` väärtuseks [d:${value}].`,
  playWrong: "Läbi valesti",
  lost: (amount) => `${amount} kaotsis`,
  overwritten: "üle kirjutatud",
  again: "veel kord",
  short: (amount) => `${amount} puudu`,
  over: (amount) => `${amount} liiga palju`,
  late: "hilja",
  tellReplaced: (sends, before) => `${sends} ja kirjutab üle väärtuse [g:${before}].`,
  tellLate: (sends, to) => `${sends}, kuid liiga hilja: \`${to}\` oli juba külastatud.`,
  tellLost: (sends, right) => `${sends}, mitte [g:${right}]: kõik ei olnud veel saabunud.`,
};

const TASKS: Translation["interaction"]["tasks"] = {
  names: {
    predict: "Ennusta avaldise `(a + b) * c` kõik kolm gradienti",
    dead: "Sureta relu: lohista, kuni `a * b` on negatiivne",
    twice: "Läbi `a * a`: mõlemad teed liituvad",
    negative: "Leia avaldis, kus muutuja kasv vähendab tulemust",
  },
  done: "tehtud",
  now: "praegu",
  start: "Alusta",
  what: (name, text) => `mis on muutuja \`${name}\` gradient avaldises \`${text}\`?`,
  check: "Kontrolli",
  show: "Näita graafi",
  next: "Järgmine küsimus",
  right: "✓ Õige.",
  wrong: "✕ Mitte päris.",
};

export const interaction: Translation["interaction"] = {
  rules: RULES,
  examples: EXAMPLES,
  allExamples: (count) => `Kõik ${count}`,
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name) => `Muutuja ${name} väärtus`,
    drag: (name) => `Lohista, et muuta ${name}`,
    from: (name) => `Muutuja ${name} miinimum`,
    to: (name) => `Muutuja ${name} maksimum`,
    slope: (name) => `Tulemuse tõus muutuja ${name} järgi`,
    gradient: "gradient",
    notReached: "pole veel saabunud",
    onItsWay: "teel",
    up: "üles 0.01 võrra:",
    none: "Selles avaldises ei ole muutujaid, nii et midagi ei saa muuta. Kasuta mõnda, näiteks `2 * x`.",
    isNumber: (name) =>
      `\`${name}\` on siin arv, mitte muutuja: jäta selle lause ära, ja see on muutuja.`,
  },
  tryThis: "Proovi",
  edits: { undo: "Võta tagasi", redo: "Tee uuesti" },
  below: {
    name: "Veel",
    service: "Teenus",
    reference: "Teatmik",
    problems: "Veakoodid",
    table: "Kõik arvud tabelina",
    export: "Võta kaasa",
    keyboard: "Klaviatuur",
  },
  predict: {
    title: "Milline on iga gradient?",
    question: "Kui kiiresti muutub tulemus iga muutujaga?",
    gradOf: "gradient:",
    wrong: (guess) => `✕ mitte ${guess}`,
    notANumber: "✕ ei ole arv",
    check: "Kontrolli vastuseid",
    show: (name) => `Näita ${name}`,
    shownWord: "näidatud",
    all: "Kõik on õige: tegid tagasilevi käsitsi.",
    some: (right, of, open) => `Õigeid ${right} / ${of}. Leidmata on \`${open}\`.`,
  },
  curve: {
    parameter: "Parameeter",
    central: "Keskdiferents", // unsure: also “tsentraalne diferents”
    curve: (result, name, from, to) => `${result}, kui ${name} läheb ${from} kuni ${to}`,
    tangent: (slope) => `puutuja, tõus ${slope}`,
    predicted: "ennustatud",
    actual: "tegelik",
    nudged: (name, by, predicted, actual, same) =>
      `Suurenda muutujat \`${name}\` ${by} võrra: ennustatud [g:${predicted}], tegelik [d:${actual}]. ` +
      (same ? "Siin on kõver sirge." : "Vahe on kõverus."),
  },
  parity: {
    asking: "… Küsin teenuselt",
    agree: "✓ Brauser ja teenus ühtivad bitini",
    away: "○ Teenus ei vasta: arvutatud ainult brauseris",
    alone: "○ Arvutatud brauseris, ilma teenuseta",
    refused: "○ Teenus ei võta seda programmi vastu: arvutatud ainult brauseris",
    differ: (where, here, there) =>
      `✕ Mootorid erinevad esimest korda kohas ${where}: siin ${here}, seal ${there}`,
  },
  circles: "ringid: sinu külastusjärjekord",
  hidden: "ennustamise ajal on gradiendid peidus",
  fault: {
    stale: "Viimane kehtiv graaf:",
    follows: "Graaf järgneb, kui tulemus on jälle olemas. Midagi ei ole kaotsi läinud.",
    column: (column) => `Veerg ${column}:`,
    given: "kui",
    use: "Kasuta seda",
    backTo: (text) => `Tagasi: ${text}`,
    backToValues: "Tagasi viimaste väärtuste juurde",
    empty: "Kirjuta avaldis või võta näide.",
    ofParts: "Lokaalsed tuletised on tehte osade omad ja üks osa on liiga suur.",
    fold: "Peida lokaalsed tuletised",
    told: faultSentences(FAULTS),
  },
  front: (at, of, count) => `Lainefront ${at}/${of}, valemeid: ${count}. Lugemiseks vajuta Paus.`,
  ending: {
    nudge: ({ name, tied, by, before, after, actual, gradient, predicted }) =>
      (tied === ""
        ? `Kõige rohkem loeb \`${name}\`: suurenda seda`
        : `Kõige rohkem ja võrdselt loevad ${tied}: suurenda muutujat \`${name}\``) +
      ` ${by} võrra ja tulemus [d:${before}] on siis [d:${after}], muutus on [d:${actual}]; ` +
      (predicted === actual
        ? `gradient [g:${gradient}] ütleb sama.`
        : `gradient [g:${gradient}] ütleb [g:${predicted}], ülejäänu on kõverus.`),
    down: (name) => `Ainult \`${name}\` tõmbab tulemust alla.`,
    zero: (name, by) =>
      `Sõlme \`${name}\` ei jõua midagi${by === null ? "" : `: \`${by}\` ei lase midagi läbi`}.`,
  },
  whole: {
    full: "Täisekraan",
    dots: (cards) => `${counted("et", cards, "väärtus", "väärtust")}, igaüks punktina. Vaata`,
  },
  tables: {
    arrow: "Serv",
    incoming: "Sissetulev",
    local: "Lokaalne tuletis",
    contribution: "Panus",
    state: "Olek",
    node: "Sõlm",
    kind: "Liik",
    arrived: "saabunud",
    constant: "konstant, gradienti ei ole",
    rows: (first, last, of) => `Read ${first} kuni ${last}, kokku ${of}`,
    earlier: "Eelmised read",
    later: "Järgmised read",
  },
  address: {
    bad: (why) => `Aadressi ei saanud lugeda: ${why}. Selle asemel on siin näide.`,
    long: "see on liiga pikk",
    value: (name) => `muutuja ${name} väärtus ei ole arv`,
    form: "see ei ole kujul e=…&v=nimi:arv,…",
    language: (code) => `Keelt \`${code}\` siin ei ole: leht on inglise keeles.`,
  },
  export: {
    copy: (what) => `Kopeeri ${what}`,
    save: (format) => `Salvesta ${format}`,
    link: "link",
    embed: "manustuskood",
    tooLarge: "Graaf on PNG jaoks liiga suur; salvesta see SVG-na.",
    copied: (what) => `Kopeeritud: ${what}.`,
    ofFile: (service) =>
      `See leht on fail, mida teistel ei ole: kopeeritu viib aadressile ${service}, sinu arvutis olevasse teenusesse.`,
    denied: "Brauser ei luba kopeerida; vali tekst ja kopeeri see ise.",
    text: "Kopeeritav tekst",
    scene: "Mida saajale graafi kohal öeldakse:",
    caption: "Selgitus",
    task: "Ülesanne",
    answer: "Vastus: arv või muutuja, mille gradient see on",
    guesses: "minu vastustega",
  },
  keyNames: { Space: "Tühik", Home: "Home", End: "End", Enter: "Enter", Shift: "Shift" },
  keys: [
    "Käivita või peata",
    "Üks serv tagasi või edasi",
    "Esimene või viimane serv",
    "Üks serv tagasi või edasi, ka kaardil",
    "Kaardil: mööda selle servi, sisenditeni, tulemuseni",
    "Järgmine serv läbimise järjekorras",
    "Loe serva lokaalset tuletist",
    "Pööra graafi",
  ],
  whatever: (name) => `, mis tahes \`${name}\` korral`,
  noGradient: (name) => `\`${name}\` on astendaja: konstant, kuhu gradient ei jõua.`,
  noDouble: (name) =>
    `Tõus \`${name}\` järgi on liiga suur ja selle all ei ole muutujaid: gradient sinna ei jõua.`,
};

export const accuracy: Translation["accuracy"] = {
  bits: (number, name, bits) => `${name}, ${number}: õigeid bitte ${bits} / 53`,
  noTruth: (number, name) => `${name}, ${number}: tõelist väärtust ei ole`,
  right: (number, name, bits) => `\`${name}\`, ${number}: õigeid bitte ${bits} / 53.`,
  atKink: (name) =>
    `\`${name}\` on oma murdekohas, kus tuletis on kokkuleppe asi: mõni teine oleks sama õige.`,
  exactly: (told) => `See on ${told}, täpselt tõeline väärtus.`,
  nearest: (told) => `See on ${told}, tõelisele väärtusele lähim double.`,
  truly: (told, truth) => `See on ${told}, tegelikult ${truth}.`,
  reasons: {
    domain: "Tõeline operand on seal väljaspool määramispiirkonda.",
    depends: "See sõltub arvust, mida ei ole.",
    too_large: "See on suurem kui iga double.",
    out_of_range: "See on liiga suur, liiga väike või liiga lähedal arvule 0.",
  },
  given: (text, double) => `Tõde käib antud double kohta: \`${text}\` on ${double}.`,
  invite:
    "Riba arvu all näitab, kui palju selle 53 bitist on õiged. Vali riba, et näha, kelle ümardamine ülejäänu võttis.",
  tooMuch: "Selle programmi tõeliste väärtuste leidmine on lehe jaoks liiga palju tööd.",
  rounded: {
    local_grad: (from, to) => `tuletis sõlmest \`${from}\` sõlme \`${to}\``,
    contribution: (from, to) => `panus sõlmest \`${from}\` sõlme \`${to}\``,
    running_grad: (_, to) => `gradientide summa sõlmes \`${to}\``,
  },
  culprit: (what, rounding, weight, share, error) =>
    `Ümardamisel nihkus ${what} ${rounding} võrra; kaaluga ${weight} on see ${share}` +
    (share === error ? ", kogu viga." : ` veast ${error}.`),
  absorbed: (part, sum, told) =>
    `\`${sum}\` ümardub arvuks ${told} ja avaldisest \`${part}\` ei jää midagi järele.`,
  flat: (out, told, formula) =>
    `\`${out}\` on peaaegu ${told}: avaldisest \`${formula}\` jääb vähe järele, aga ümardusviga jääb.`,
  cancels: (where, size, left) =>
    `Sõlmes \`${where}\` taanduvad arvud kuni ${size} arvuni ${left}, nende ümardusvead jäävad.`,
  quotients: {
    title: (name) => `Avaldise (f(${name} + h) − f(${name} − h)) / 2h viga h järgi`,
    rounding: "ümardamine",
    truncation: "katkestamine", // unsure: the truncation error is “lõikeviga”
    best: (error, step) => `vähim: ${error}, kui h = ${step}`,
    backward: (error) => `tagasilevi: ${error}`,
    none: "Siin ei ole keskdiferentsi, mida tõega võrrelda.",
  },
};

export const code: Translation["code"] = {
  line: (at, of) => `rida ${at} / ${of}`,
  idle: "Käivita tagasilevi või järjestamine: iga samm valgustab rea, mis ta teeb.",
  forward: "Edasilevi on programm ise; siin on tagasilevi kood.",
  why: (name, old) =>
    `Miks \`+=\`: saabuv liidetakse sellele, mis on juba olemas. Sõlmes \`${name}\` oli [g:${old}], mis läheks märgiga \`=\` kaotsi.`,
  whyEmpty: (name) =>
    `Miks \`+=\`: saabuv liidetakse sellele, mis on juba olemas. Sõlmes \`${name}\` oli [g:0]; kaks korda kasutatud väärtuses oleks juba midagi.`,
  goesDown: "v liigub seda loendit pidi alla",
  waiting: "ootel",
  more: (count) => `… veel ${count}`,
  operands: "Kumb operand kutsutakse enne",
  leftFirst: "vasak enne",
  rightFirst: "parem enne",
  stack: "Kutsepinu", // unsure: also “väljakutsete magasin”
  child: (at, of) => `operand ${at} / ${of}`,
  noChild: "operande ei ole",
  begins: "algab",
  returns: "juba külastatud: naaseb kohe",
  visited: "hulk: keda on kutsutud",
  topo: "loend: kes on valmis",
  reversed: "tagasilevi järjekord",
  empty: "tühi",
  start:
    "Millises järjekorras tuleb iga väärtus pärast kõike, mida ta vajab? Järjestamine kutsub enne kõik operandid: kõigepealt vasaku või parema.",
  root: (name) =>
    `Järjestamine algab tulemusest: \`build(${name})\` paneb \`${name}\` hulka \`visited\`.`,
  enter: (from, to) =>
    `\`${from}\` küsib oma operandi \`${to}\`, mis on uus: \`build(${to})\` algab ja \`${from}\` ootab.`,
  skip: (from, to) =>
    `\`${from}\` küsib operandi \`${to}\`, mis on juba hulgas \`visited\`: see jääb vahele. Nii on \`${to}\` loendis \`topo\` ainult üks kord, enne kõiki, kes teda kasutavad.`,
  leaf: (name, place) =>
    `\`${name}\` on operandideta: see läheb kohe loendisse \`topo\`, numbriga ${place}.`,
  append: (name, place) =>
    `Kõik sõlme \`${name}\` operandid on loendis \`topo\`, nende järel tuleb \`${name}\`, numbriga ${place}.`,
  reverse: (first) =>
    `Tagurpidi on \`topo\` tagasilevi järjekord: kõigepealt \`${first}\`, ja iga väärtus pärast kõiki, kes teda kasutavad.`,
};

export const training: Translation["training"] = {
  forget: "Unusta zero_grad",
  lessons: "Mida treenida",
  names: { line: "Sirge", neuron: "Neuron", xor: "XOR, 2-4-1 tanh" },
  which: "Millised muutujad võivad õppida?",
  mark: "Treenimise samm nihutab parameetreid gradiendi vastassuunas, nii et tulemus väheneb. Märgi vähemalt üks:",
  stopped: "Seda ei saa treenida",
  loss: "Kadu", // unsure: a loss function is “kaofunktsioon”
  size: "grad norm",
  drag: "lohista all, et minna tagasi mis tahes sammu juurde",
  timeline: "Ajatelg: üks jaotis, üks treenimise samm",
  curve: (first, at, now) => `Kadu sammude kaupa: sammul 0 on ${first}, sammul ${at} on ${now}`,
  toStart: "Algusesse",
  rate: "Sammu pikkus",
  rateNumber: "Sammu pikkus arvuna",
  endedAt: (step) => `Samm ${step} ebaõnnestus:`,
  rows: "Kadu on nelja rea keskmine; graaf näitab üht neist.",
  look: "Vaata rida",
  see: (row) => `Näita ${row}`,
  bold: "Kas samm on liiga pikk?",
  boldly:
    "Sammuga 0.01 jääb iga kord alles 0.64 kaost. Sammuga 0.1 hüppab sirge ühelt poolt teisele ja kadu jääb 4 peale.",
  setAndSee: (rate) => `Proovi ${rate}`,
  map: {
    caption: (output, first, second) =>
      `\`${output}\` muutujate \`${first}\` ja \`${second}\` järgi, selle sammu kaaludega; joonel on see 0.`,
    right: (right, all) => `Õige märk: ${right} / ${all}.`,
    told: (output, first, second, share) =>
      `Kaart: ${output} muutujate ${first} ja ${second} järgi, üle 0 on ${share} %`,
  },
};

const SCENES: Translation["lesson"]["scenes"] = {
  graph: {
    title: "Valem on graaf",
    caption:
      "Iga kaart on väärtus ja iga serv viib sisendist selle juurde, mis temast arvutatakse: kõigepealt `a + b`, siis korda `c`. Käivita edasilevi ja vaata, kuidas arvud tulevad.",
    task: "Enne kui käivitad: mis on tulemus?",
    hint: "Kõigepealt `a + b`, see on [d:2] + ([d:−3]); siis korda `c`, mis on [d:10].",
    why: "([d:2] − [d:3]) × [d:10] = [d:−10]. See on edasilevi.",
    learned: "Avaldis on graaf; edasilevi arvutab iga väärtuse tema sisenditest.",
  },
  product: {
    title: "Ahelareegel serval",
    caption:
      "Gradient ütleb, kui kiiresti tulemus koos väärtusega muutub. Tulemuse enda gradient on [g:1]. Iga serv kannab: sissetulev gradient × lokaalne tuletis; korrutises on see tuletis teine tegur.",
    task: "Mis on muutuja `c` gradient?",
    hint: "Muutuja `c` teine tegur on `a + b`. Mis arv on selle kaardil?",
    why: "[g:1] × [d:−1] = [g:−1]: kui `c` kasvab, siis tulemus väheneb. Vajuta Samm ja vaata, kuidas see saabub.",
    learned:
      "Serv kannab: sissetulev gradient × lokaalne tuletis; korrutis vahetab tegurid omavahel.",
  },
  sum: {
    title: "Summa kopeerib",
    caption:
      "Kaks sammu on tehtud: `a + b` on saanud [g:10] ja `c` on saanud [g:−1]. Summa lokaalne tuletis on iga sisendi järgi [d:1].",
    task: "Mis jõuab sõlme `a`?",
    hint: "Võta see, mille on saanud `a + b`, korda summa lokaalne tuletis.",
    why: "[g:10] × [d:1] = [g:10], ja sama palju saab `b`.",
    learned: "Summa annab saadud gradiendi edasi igale oma sisendile.",
  },
  twice: {
    title: "Kaks korda kasutatud: `+=`",
    caption:
      "Avaldises `a * a` viib tagasi sõlme `a` kaks serva. Mõlemad tegurid on `a`, nii et kummagi teine tegur on [d:3].",
    task: "Mis on muutuja `a` gradient?",
    hint: "Mõlemad servad toovad midagi. Mis on summa?",
    why: "[g:3] + [g:3] = [g:6], nagu ütleb `2 * a`. Kui `+=` asemel oleks `=`, jääks alles ainult viimane [g:3].",
    learned: "Kaks korda kasutatud väärtus liidab kõik, mis saabub: `+=`, mitte kunagi `=`.",
  },
  order: {
    title: "Liiga varajane külastus",
    caption:
      "Siin külastatakse `b` enne kui `d`: tal ei ole veel midagi edasi anda ja see, mille toob `d`, tuleb liiga hilja. `c` tuleb pärast ja saab `b`, mis on [d:3].",
    task: "Milline gradient jääb selles järjekorras sõlme `a`?",
    hint: "Ainult `c` annab veel midagi sõlmele `a`: tema gradient [g:3] korda lokaalne tuletis [d:3]. `b` annab edasi [g:0].",
    why: "[g:3] × [d:3] + [g:0] = [g:9]; õige on [g:15]. Proovi seda järjekorda, vaata, mis läheb kaotsi, ja pane siis `d` esimeseks.",
    learned: "Väärtust külastatakse alles siis, kui kõik tema kasutajad on külastatud.",
  },
  sort: {
    title: "Järjestamine, mis leiab järjekorra",
    caption:
      "`build` kutsub ennast väärtuse sisendite jaoks ja lisab siis väärtuse loendisse `topo`. Mis on juba hulgas `visited`, seda uuesti ei kutsuta. Tagasilevi läbib loendi tagurpidi.",
    task: "`a` on nii `b` kui ka `c` sisend. Mitu korda läheb ta loendisse `topo`?",
    hint: "Kui `c` küsib sisendit `a`, on see juba hulgas `visited`.",
    why: "Üks kord: teise kutse ajal on ta hulgas `visited` ja jääb vahele. Käivita järjestamine, et näha mõlemat kutset.",
    learned:
      "Topoloogiline järjestus külastab tagurpidi iga väärtust üks kord, pärast kõiki tema kasutajaid.",
  },
  dead: {
    title: "Surnud relu",
    caption:
      "`relu` laseb läbi selle, mis on üle 0, ja teeb kõigest muust [d:0]. Siin on `w * x + b` väärtus [d:−8].",
    task: "Mis on muutuja `w` gradient?",
    hint: "Alla 0 on `relu` kõver lame. Kui suur on selle tõus?",
    why: "[g:1] × [d:0] = [g:0], ja nii kõige jaoks enne seda: ükski treenimise samm neid ei nihuta. Lohista `b` üles, kuni relu ärkab.",
    learned: "Alla 0 ei anna relu midagi edasi, nii et miski enne seda ei õpi.",
  },
  neuron: {
    title: "Neuron",
    caption:
      "Kaks sisendit, kaks kaalu, nihe ja `tanh`, mille lokaalne tuletis on 1 − o². Selle nihkega on `o` väärtus [d:0.7071] ja tuletis [d:0.5].",
    task: "Mis on muutuja `w1` gradient?",
    hint: "[g:0.5] läbib mõlemad summad muutmata. Muutuja `w1` teine tegur on `x1`, mis on [d:2].",
    why: "[g:0.5] × [d:2] = [g:1]. Ja `w2` saab [g:0], sest `x2` on [d:0].",
    learned: "Läbi neuroni on gradient 1 − o², siis koopia igas summas, siis teine tegur.",
  },
  training: {
    title: "Treenimise samm",
    caption:
      "Samm nihutab iga parameetrit tema gradiendi vastassuunas: `w` − sammu pikkus × gradient. Kui `w` = [d:2], on kadu [d:4], muutuja `w` gradient [g:12] ja sammu pikkus 0.01.",
    task: "Mis on `w` pärast ühte sammu?",
    hint: "Lahuta 0.01 × [g:12] arvust [d:2].",
    why: "[d:2] − 0.01 × [g:12] = [d:1.88] ja kadu väheneb, see on nüüd [d:2.56]. Jätkamiseks vajuta Treeni.",
    learned: "Treenimine liigub gradiendi vastassuunas, väike samm korraga.",
  },
  modes: {
    title: "Otse või tagurpidi", // unsure: forward and reverse mode are “otserežiim” and “pöördrežiim”
    caption:
      "Tuletisi saab kanda ka edasi, andmete kõrval, ühest sisendist tulemuseni: iga sisendi jaoks üks läbimine. Pöördrežiimil, mida sa läbisid, on need kõik olemas pärast ühte tagasilevi.",
    task: "Mitu otserežiimi läbimist annab kõigi viie sisendi gradiendid?",
    hint: "Iga läbimine algab ühest sisendist. Loenda sisendid: `x1`, `x2`, `w1`, `w2`, `b`.",
    why: "[d:5] ja [d:1]. Miljardi parameetri ja ühe kaoga see otsustab: backward() on pöördrežiim.",
    learned: "Pöördrežiim annab ühe tulemuse kõik gradiendid ühe tagasileviga.",
  },
};

export const lesson: Translation["lesson"] = {
  name: "Stseen",
  places: "Õppetunni stseenid",
  skip: "Jäta vahele →",
  next: "Järgmine stseen →",
  close: "Sulge",
  end: "Mida sa õppisid",
  learned: (done, of) => `Stseene tehtud: ${done} / ${of}`,
  scenes: SCENES,
};
