/** Estonian: examples and pitfalls, which the service publishes in English; by the same names. */

import { listed } from "../listed.ts";

export const EXAMPLES = listed(
  ["title", "about"],
  [
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
  ],
);

export const PITFALLS = listed(
  ["title", "about", "cure"],
  [
    "assigning-instead-of-adding | = märgi += asemel | Kaks korda kasutatud sõlm saab kaks panust. Omistav tagasilevi jätab alles ainult viimase ja on õige, kuni midagi ei jagata. | Kirjuta `grad +=`, mitte kunagi `grad =`.",
    "wrong-order | Sõlm enne oma kasutajaid | b annab edasi selle, mis tal külastuse ajal on. Enne kui d on külastatud, ei ole tal veel midagi, ja 6 sõlmest d tuleb liiga hilja. | Külasta sõlmi pööratud topoloogilises järjestuses.",
    "second-backward | backward() kaks korda ilma nullimata | Kahe läbimise gradiendid liituvad. See on rohkem kui kahekordne: ka a * b gradient on vana, nii et a ja b saavad kolm korda oma osa. | Sea enne iga tagasilevi kõik gradiendid väärtusele 0, ka sisemistes sõlmedes.",
    "mutation-before-backward | Andmeid muudeti enne kui backward() | Sulundid loevad operande siis, kui backward käib. Kui a saab pärast edasilevi väärtuse 5, segab b gradient kaks programmi. | Muuda andmeid alles siis, kui backward() on tehtud, ja tee siis edasilevi uuesti.",
    "dead-relu | relu, mis kunagi ei õpi | Alla 0 ei anna relu midagi edasi ja ükski kaal enne seda ei muutu. Gradiendid on õiged, aga kasutud: treenimine peatub. | Alusta sealt, kus relu on üle 0: kui b = 1, on w gradient 2.",
    "variable-exponent | Muutuja astendajana | micrograd diferentseerib ainult aluse järgi ja jätab astendaja gradiendi vaikides väärtusele 0. See mootor ei võta seda vastu. | Kirjuta `exp(n * log(x))`, millel on mõlemad gradiendid.",
  ],
);
