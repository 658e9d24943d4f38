/**
 * Spanish. Marks in sentences are those of the English file.
 *
 * Learners are addressed as tú. Doubtful translations are marked `unsure`.
 */

import type { Translation } from "./en.ts";
import type { RuleWords } from "./sentences.ts";
import { counted, faultSentences, tableOf } from "./translated.ts";
import type { FaultWords } from "./translated.ts";

const VERBS: Readonly<Record<string, string>> = {
  "+": "más",
  "-": "menos",
  "*": "por",
  "/": "entre",
  "**": "elevado a",
};

export const first: Translation["first"] = {
  language: "es",
  languages: "Idioma",
  title: "Taller de gradientes", // unsure: also “banco de pruebas”; Wikipedia calls its sandbox “taller”
  tagline: "Escribe una fórmula, recórrela hacia atrás y mira cuánto pesa cada entrada.",
  skip: "Ir al taller",
  site: "Sitio",
  lesson: "Lección",
  expression: "Expresión",
  share: "Compartir",
  examples: "Ejemplos",
  notLoaded: (what) => `No se pudo cargar ${what}: no hay conexión.`,
  part: "esta parte",
  tryAgain: "Reintentar",
  of: (part, whole) => `${part} de ${whole}`,
  stage: {
    name: "Grafo",
    graphOf: (text, result) => `Grafo de ${text}, cuyo resultado es ${result}`,
    way: "Sentido del pase",
    forward: "Adelante: data",
    sort: "Orden",
    backward: "Atrás: grad",
    local: "Derivadas locales",
    final: "Gradientes finales",
    options: "Opciones",
    input: "entrada",
    parameter: "parám.",
    constant: "const.",
    result: "resultado",
    derived: "compuesta",
    from: (name) => `de ${name}`,
    to: (name) => `a ${name}`,
  },
  play: {
    backward: "Recorrer atrás",
    forward: "Recorrer adelante",
    sort: "Ordenar",
    again: "Repetir",
    pause: "Pausa",
    back: "Anterior",
    step: "Paso",
    timeline: {
      forward: "Línea de tiempo: una marca, una operación",
      sort: "Línea de tiempo: una marca, un paso del ordenamiento",
      backward: "Línea de tiempo: una marca, una arista",
    },
    begin: { forward: "entradas", sort: "inicio", backward: "inicio" },
  },
  tabs: {
    values: "Valores",
    code: "Código",
    predict: "Predecir",
    break: "Fallos",
    train: "Entrenar",
  },
  workbench: "Mesa de trabajo",
  seed: "¿Qué entrada influye en el resultado, y cuánto? Recorre el grafo hacia atrás.",
  seedForward:
    "Las entradas se conocen. Recorre hacia adelante y mira cómo se calcula el resultado.",
  is: (part, value) => `\`${part}\` es [d:${value}]`,
  makes: (operation, left, right, result) =>
    `${left}${VERBS[operation]} \`${right}\` es [d:${result}].`,
  resultOne: "El gradiente del resultado respecto de sí mismo es 1.",
};

const EXAMPLES = tableOf([
  "sum-times-factor | El primer grafo | Una suma pasa su gradiente sin cambios; un producto intercambia sus operandos. Por eso el gradiente de c es lo que vale a + b.",
  "micrograd-loss | La L de micrograd | Un nombre para cada paso, y la regla de la cadena a través de tres: el gradiente de a es f por 1 por b.",
  "square-by-product | Una variable, dos aristas | Las dos aristas de a * a acaban en la misma a, y 3 + 3 = 6 es la pendiente de un cuadrado. Con = en lugar de += sería 3.",
  "diamond | El rombo | Dos caminos vuelven a a: 6 llega por b y 9 por c. Una visita envía lo que ha llegado: visita c antes que d, y el 9 se pierde.",
  "negative-gradient | Subir es bajar | Un gradiente negativo: sube a un poco, y el resultado baja cuatro veces más.",
  "tanh-neuron | La neurona de Karpathy | Dos entradas, dos pesos, un sesgo y tanh. w2 no aprende nada porque x2 es 0; lo que la lección redondea a 0.5 es 0.4999999999999999 en double.",
  "dead-neuron | La neurona muerta | Por debajo de su umbral, relu no deja pasar gradiente y los pesos no se mueven. Sube b por encima de -6 y revive.",
  "squared-error | Una pérdida para aprender | La recta w * x + b se desvía 2 de y, y los gradientes dicen cómo mover w y b. El exponente es una constante: no recibe gradiente.",
  "logistic | La función logística | Una probabilidad a partir de cualquier número, con cuatro operaciones. Su pendiente es p * (1 - p), como mucho 1/4.",
  "cross-entropy | Regresión logística | softplus(z) - y * z es la entropía cruzada de sigmoid(z) e y. Su pendiente en z es sigmoid(z) - y: cuánto se equivoca la probabilidad.",
  "sine-and-cosine | Dos caminos que se cancelan | La suma es 1 para todo x, así que los dos caminos a x se cancelan: 0.84 por el seno y -0.84 por el coseno.",
  "log-sum-exp | Softmax es un gradiente | Los gradientes de log-sum-exp son el softmax de sus operandos: dos probabilidades que suman 1.",
  "quotient | Un cociente como una sola operación | 49 / 49 es 1: una operación, un redondeo. Está marcada como compuesta, porque micrograd la construye con * y **.",
  "quotient-from-primitives | Un cociente con * y ** | El mismo cociente como a * b ** -1, redondeado dos veces, se queda a un último bit de 1. También ocurre en el motor de las lecciones.",
  "roots-that-cancel | Cifras que se cancelan | Las raíces comparten sus primeras 13 cifras y solo queda el resto: 5 cifras correctas. 1 / (sqrt(x + 1) + sqrt(x)) es el mismo número con todas.",
  "saturated-tanh | Una pendiente perdida | tanh(20) se redondea a 1, y su pendiente 1 - out * out es 0; en verdad es 1.7e-17. Una neurona tan lejos no aprende nada.",
  "softplus-by-hand | softplus a mano | 1 + exp(-40) se redondea a 1, cuyo logaritmo es 0; en verdad es 4.2e-18, como dice softplus(x). El gradiente tiene todas sus cifras.",
  "variance-below-zero | Una varianza menor que 0 | La media de los cuadrados menos el cuadrado de la media: la varianza de dos números que difieren en 2 es 1, y sale -128. Los gradientes son exactos.",
  "lost-in-a-sum | Perdido en una suma | Cerca de 1e16 los double van de 2 en 2: la suma se redondea a 1e16 y no queda nada de x. Aun así, el gradiente es correcto.",
]);

const PITFALLS = tableOf([
  "assigning-instead-of-adding | = en lugar de += | Un nodo usado dos veces recibe dos contribuciones. Un pase hacia atrás que asigna solo guarda la última, y acierta mientras nada se comparta. | Escribe `grad +=`, nunca `grad =`.",
  "wrong-order | Un nodo antes que quienes lo usan | b pasa lo que tiene cuando se visita. Visitado antes que d aún no tiene nada, y el 6 de d llega demasiado tarde. | Visita los nodos en orden topológico inverso.",
  "second-backward | backward() dos veces sin poner a cero | Los gradientes de los dos pases se suman. Es más que duplicar: el gradiente de a * b también es viejo, así que a y b reciben el triple. | Pon a 0 todos los gradientes antes de cada pase hacia atrás, también los de los nodos internos.",
  "mutation-before-backward | Datos cambiados antes de backward() | Las clausuras leen sus operandos cuando corre backward. Si a se pone a 5 tras el pase hacia adelante, el gradiente de b mezcla dos programas. | Cambia los datos solo después de backward() y repite el pase hacia adelante.",
  "dead-relu | Una relu que nunca aprende | Por debajo de 0, relu no deja pasar nada, y ningún peso anterior cambia. Los gradientes son correctos, e inútiles: el entrenamiento se detiene. | Empieza donde relu esté por encima de 0: con b = 1 el gradiente de w es 2.",
  "variable-exponent | Una variable como exponente | micrograd solo deriva respecto de la base y, sin avisar, deja en 0 el gradiente del exponente. Este motor lo rechaza. | Escribe `exp(n * log(x))`, que tiene los dos gradientes.",
]);

export const FAULTS: FaultWords = {
  character: "El lenguaje no tiene el carácter `{found}`.",
  cyrillic: "Es una letra cirílica.",
  otherSign: "Escribe letras sin tilde, cifras, _ y los signos + - * / ** ( ) = , ;",
  equals: "`=` solo va tras un nombre al principio, como en `y = x + 1`; no hay comparaciones.",
  comma: "La coma solo separa los argumentos de una función.",
  closing: "Este `)` sobra: no hay ningún paréntesis abierto.",
  unnamedLine: "Solo la última línea puede ir sin nombre; escribe las demás como `y = …`.",
  beforeEnd: "Aquí falta un número, un nombre o cerrar el paréntesis.",
  before: "Antes de `{found}` falta un número, un nombre o `(`.",
  call: "Para llamar a la función, escribe `{call}`.",
  product: "Falta un operador entre `{last}` y `{found}`.",
  endsOpen: "La expresión se corta. Añade lo que falta o cierra el paréntesis: `)`.",
  ends: "La expresión se corta. Aquí falta un número, un nombre o `(`.",
  unknown_function: "`{name}` no es una función.",
  meant: "¿Querías decir `{meant}`?",
  wrong_arity: "Valores que necesita la función `{name}`: {expected}, no {actual}.",
  exponent_not_literal:
    "El exponente solo puede ser un número: la potencia se deriva respecto de su base. Si x > 0, en lugar de `x ** y` escribe `exp(y * log(x))`.",
  duplicate_name: "El nombre `{name}` ya está en uso. Elige otro para el resultado.",
  unused_name: "El resultado no depende de `{name}`. Usa ese nombre o quítalo.",
  missing_value: "Falta un valor para `{name}`.",
  "domain /": "División entre 0.",
  "domain sqrt": "Solo hay raíz de números desde 0.",
  "domain log": "Solo hay logaritmo de números mayores que 0.",
  "domain **": "Una base negativa no tiene potencia fraccionaria.",
  zeroPower: "0 no tiene potencia negativa.",
  outside: "`{operation}` no está definida para estos números.",
  literal: "Este número es mayor que el mayor double, 1.7976931348623157e308.",
  steep: "En 0 la pendiente es infinita: `{operation}`. Toma un valor mayor que 0.",
  largeGradient: "El gradiente es demasiado grande para un double.",
  largeNumber: "El número es demasiado grande para un double.",
  largeResult: "El resultado de `{operation}` es demasiado grande para un double.",
  closer: "Toma valores más cercanos a 0.",
  characters: "La expresión es demasiado larga: se dibujan hasta {limit} caracteres.",
  nodes: "El grafo tiene más de {limit} nodos. Escribe un programa más corto.",
  work: "Demasiado trabajo: {actual}, con un límite de {limit}.",
  other: "No se puede calcular: `{code}`.",
};

const RULES: RuleWords = {
  sends: ({ from, to, incoming, local, contribution }) =>
    `\`${from}\` envía [g:${incoming}] × [d:${local}] = [g:${contribution}] a \`${to}\``,
  oneOf: (arrived, expected, to) => `Es la contribución ${arrived} de ${expected} a \`${to}\`.`,
  together: (to, sum) =>
    `Junto con las otras, \`${to}\` tiene [g:${sum}]: las contribuciones se suman.`,
  computed: (name, text, value) => `\`${name}\`, que es \`${text}\`, vale [d:${value}].`,
  plainly: (operation, slope) => `La derivada de ${operation} es \`${slope}\`.`,
  rules: {
    "+": "Una suma pasa su gradiente sin cambios.",
    "-": "El minuendo recibe el gradiente sin cambios.",
    "-1": "El sustraendo lo recibe con el signo cambiado.",
    "*": (other, local) =>
      `Un producto lo multiplica por el otro factor: \`${other}\` es [d:${local}].`,
    "/": (other) => `Un cociente lo divide también entre \`${other}\`.`,
    "/1": "Cuanto mayor es el divisor, menos importa que cambie.",
    "**": "En una potencia, el exponente baja como factor y se le resta 1.",
    neg: "La negación cambia el signo.",
    relu: "Por encima de 0, relu lo pasa sin cambios.",
    "relu dead": "Por debajo de 0, relu es plana y no deja pasar nada.",
    abs: "abs pasa el gradiente si su operando es mayor que 0, le cambia el signo si es menor y lo detiene en 0.",
    min: "min pasa el gradiente al operando menor; si son iguales, la mitad a cada uno.",
    max: "max pasa el gradiente al operando mayor; si son iguales, la mitad a cada uno.",
  },
  hints: {
    "+": (_, of) => `Una suma pasa lo que ha recibido. ¿Qué ha recibido \`${of}\`?`,
    "*": (other) =>
      `Un producto multiplica el gradiente por el otro factor. El otro factor es \`${other}\`: ¿cuánto vale?`,
    "/1": "La derivada de 1 / x es −1 / x ** 2.",
  },
  hintTwice: (name) => `\`${name}\` se usa más de una vez: las contribuciones se suman.`,
};

const BROKEN: Translation["interaction"]["broken"] = {
  mistakes: "Errores",
  chips: {
    "wrong-order": "Orden erróneo",
    "assigning-instead-of-adding": "= por +=",
    "second-backward": "Olvidar zero_grad",
    "mutation-before-backward": "Datos cambiados",
    "dead-relu": "relu muerta",
    "variable-exponent": "Exponente variable",
  },
  known: PITFALLS,
  title: "Pon las visitas en orden, de la primera a la última",
  how: "Este recorrido envía: cada visita pasa a sus operandos lo que ha llegado hasta entonces. Arrastra una visita o usa sus botones.",
  earlier: "Antes",
  later: "Después",
  sent: (amounts) => `envió ${amounts}`,
  sentTo: (amount, to) => `${amount} a ${to}`,
  sendsNothing: "no envía nada",
  tooEarly: "Demasiado pronto",
  run: "Probar mi orden",
  showRight: "Ver un orden correcto",
  take: (text) => `Usar ${text}`,
  tooMany: (count, most) =>
    `Este grafo tiene ${counted("es", count, "nodo", "nodos")} que visitar; a mano se pueden ordenar ${most} como mucho.`,
  losses: (amounts) => `✕ Perdido: ${amounts}`,
  from: (amount, by) => `${amount} de ${by}`,
  wrongEnd: "✕ Los gradientes son erróneos",
  nothingLost: "✓ No se pierde nada",
  ends: (name, has, right) => `\`${name}\` acaba con [g:${has}], no con [g:${right}].`,
  gets: (name, right) => `\`${name}\` recibe [g:${right}].`,
  visitedBefore: (operand, operation, amount) =>
    `Se visitó \`${operand}\` antes de que \`${operation}\` le enviara [g:${amount}].`,
  reverse: "Orden topológico inverso",
  standsBefore: (operand, operation) => `\`${operand}\` antes que \`${operation}\`.`,
  harmless: "Visitar una entrada no envía nada, así que puede ir en cualquier momento.",
  should: (name, right) => `Lo que debe recibir ${name}: ${right}`,
  wrong: "Mal",
  right: "Bien",
  onStage: "En el grafo",
  variable: "Variable",
  cure: "Remedio",
  refused: "Este motor lo rechaza:",
  changes: (name, value) =>
    `Entre el pase hacia adelante y el pase hacia atrás, \`${name}\` pasa a ser [d:${value}].`,
  playWrong: "Recorrer mal",
  lost: (amount) => `${amount} perdido`,
  overwritten: "sobrescrito",
  again: "otra vez",
  short: (amount) => `faltan ${amount}`,
  over: (amount) => `sobran ${amount}`,
  late: "tarde",
  tellReplaced: (sends, before) => `${sends}, y sobrescribe [g:${before}].`,
  tellLate: (sends, to) => `${sends}, demasiado tarde: \`${to}\` ya se había visitado.`,
  tellLost: (sends, right) => `${sends} en lugar de [g:${right}]: no había llegado todo.`,
};

const TASKS: Translation["interaction"]["tasks"] = {
  names: {
    predict: "Predice los tres gradientes de `(a + b) * c`",
    dead: "Apaga una relu: arrastra hasta que `a * b` sea negativo",
    twice: "Recorre `a * a`: los dos caminos se suman",
    negative: "Busca una expresión en la que subir una variable baje el resultado",
  },
  done: "hecha",
  now: "ahora",
  start: "Empezar",
  what: (name, text) => `¿cuál es el gradiente de \`${name}\` en \`${text}\`?`,
  check: "Comprobar",
  show: "Ver su grafo",
  next: "Siguiente pregunta",
  right: "✓ Correcto.",
  wrong: "✕ No del todo.",
};

export const interaction: Translation["interaction"] = {
  rules: RULES,
  examples: EXAMPLES,
  allExamples: (count) => `Los ${count}`,
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name) => `Valor de ${name}`,
    drag: (name) => `Arrastra para cambiar ${name}`,
    from: (name) => `Mínimo de ${name}`,
    to: (name) => `Máximo de ${name}`,
    slope: (name) => `Pendiente del resultado según ${name}`,
    gradient: "gradiente",
    notReached: "aún sin recibir",
    onItsWay: "en camino",
    up: "sube 0.01:",
    none: "Esta expresión no tiene variables, así que no hay nada que cambiar. Usa una, por ejemplo `2 * x`.",
    isNumber: (name) =>
      `\`${name}\` es aquí un número, no una variable: quita su instrucción y lo será.`,
  },
  tryThis: "Prueba esto",
  edits: { undo: "Deshacer", redo: "Rehacer" },
  below: {
    name: "Más",
    service: "Servicio",
    reference: "Referencia",
    problems: "Errores",
    table: "Todos los números, en una tabla",
    export: "Llévatelo",
    keyboard: "Teclado",
  },
  predict: {
    title: "¿Cuál será cada gradiente?",
    question: "¿A qué ritmo cambia el resultado con cada variable?",
    gradOf: "grad de",
    wrong: (guess) => `✕ no ${guess}`,
    notANumber: "✕ no es un número",
    check: "Comprobar",
    show: (name) => `Mostrar ${name}`,
    shownWord: "mostrado",
    all: "Todo correcto: has hecho a mano el pase hacia atrás.",
    some: (right, of, open) => `${right} de ${of} correctos. Falta \`${open}\`.`,
  },
  curve: {
    parameter: "Parámetro",
    central: "Diferencia central",
    curve: (result, name, from, to) => `${result}, cuando ${name} va de ${from} a ${to}`,
    tangent: (slope) => `tangente, pendiente ${slope}`,
    predicted: "previsto",
    actual: "real",
    nudged: (name, by, predicted, actual, same) =>
      `Sube \`${name}\` en ${by}: previsto [g:${predicted}], real [d:${actual}]. ` +
      (same ? "Aquí la curva es recta." : "La diferencia es la curvatura."),
  },
  parity: {
    asking: "… Consultando al servicio",
    agree: "✓ Navegador y servicio coinciden bit a bit",
    away: "○ Servicio no disponible: calculado solo en el navegador",
    alone: "○ Calculado en el navegador, sin el servicio",
    refused: "○ El servicio rechazó este programa: calculado solo en el navegador",
    differ: (where, here, there) =>
      `✕ Los motores difieren por primera vez en ${where}: aquí ${here}, allí ${there}`,
  },
  circles: "círculos: tu orden de visita",
  hidden: "los gradientes se ocultan mientras predices",
  fault: {
    stale: "El último grafo válido:",
    follows: "El grafo seguirá cuando vuelva a haber un resultado. No se pierde nada.",
    column: (column) => `Columna ${column}:`,
    given: "para",
    use: "Usar esto",
    backTo: (text) => `Volver a ${text}`,
    backToValues: "Volver a los últimos valores",
    empty: "Escribe una expresión o elige un ejemplo.",
    ofParts:
      "Las derivadas locales son las de las partes de una operación, y una parte es demasiado grande.",
    fold: "Ocultar las derivadas locales",
    told: faultSentences(FAULTS),
  },
  front: (at, of, count) =>
    `Frente de onda ${at} de ${of}, fórmulas: ${count}. Pausa para leerlas.`,
  ending: {
    nudge: ({ name, tied, by, before, after, actual, gradient, predicted }) =>
      (tied === ""
        ? `\`${name}\` es la que más importa: súbela`
        : `${tied} son las que más importan, por igual: sube \`${name}\``) +
      ` ${by}, y el resultado pasa de [d:${before}] a [d:${after}], o sea [d:${actual}]; ` +
      (predicted === actual
        ? `su gradiente [g:${gradient}] dice lo mismo.`
        : `su gradiente [g:${gradient}] dice [g:${predicted}], el resto es curvatura.`),
    down: (name) => `Solo \`${name}\` tira del resultado hacia abajo.`,
    zero: (name, by) =>
      `A \`${name}\` no llega nada${by === null ? "" : `: \`${by}\` no deja pasar nada`}.`,
  },
  whole: {
    full: "Pantalla completa",
    dots: (cards) => `${counted("es", cards, "valor", "valores")}, un punto para cada uno. Ver`,
  },
  tables: {
    arrow: "Arista",
    incoming: "Entrante",
    local: "Derivada local",
    contribution: "Contribución",
    state: "Estado",
    node: "Nodo",
    kind: "Tipo",
    arrived: "recibida",
    constant: "constante, sin gradiente",
    rows: (first, last, of) => `Filas ${first} a ${last} de ${of}`,
    earlier: "Filas anteriores",
    later: "Filas siguientes",
  },
  address: {
    bad: (why) => `No se pudo leer la dirección: ${why}. En su lugar, aquí hay un ejemplo.`,
    long: "es demasiado larga",
    value: (name) => `el valor de ${name} no es un número`,
    form: "no tiene la forma e=…&v=nombre:número,…",
    language: (code) => `Aquí no hay ningún idioma \`${code}\`: la página está en inglés.`,
  },
  export: {
    copy: (what) => `Copiar ${what}`,
    save: (format) => `Guardar ${format}`,
    link: "enlace",
    embed: "código para insertar",
    tooLarge: "El grafo es demasiado grande para un PNG; guárdalo como SVG.",
    copied: (what) => `Copiado: ${what}.`,
    ofFile: (service) =>
      `Esta página es un archivo que los demás no tienen: lo copiado lleva a ${service}, un servicio en tu equipo.`,
    denied: "El navegador no permite copiar; selecciona el texto y cópialo.",
    text: "Texto para copiar",
    scene: "Lo que se dice sobre el grafo a quien lo recibe:",
    caption: "Leyenda",
    task: "Tarea",
    answer: "Respuesta: un número, o la variable cuyo gradiente es",
    guesses: "con mis respuestas",
  },
  keyNames: { Space: "Espacio", Home: "Inicio", End: "Fin", Enter: "Intro", Shift: "Mayús" },
  keys: [
    "Reproducir o pausar",
    "Una arista atrás o adelante",
    "Primera o última arista",
    "Una arista atrás o adelante, también en una tarjeta",
    "En una tarjeta: por sus aristas, a las entradas, al resultado",
    "Siguiente arista, en el orden del recorrido",
    "Leer la derivada local de una arista",
    "Girar el grafo",
  ],
  whatever: (name) => `, valga lo que valga \`${name}\``,
  noGradient: (name) => `\`${name}\` es un exponente: una constante, que no recibe gradiente.`,
  noDouble: (name) =>
    `La pendiente según \`${name}\` es demasiado grande, y debajo no hay ninguna variable: no fluye gradiente.`,
};

export const accuracy: Translation["accuracy"] = {
  bits: (number, name, bits) => `${number} de ${name}: ${bits} de 53 bits correctos`,
  noTruth: (number, name) => `${number} de ${name} no tiene valor verdadero`,
  right: (number, name, bits) => `${number} de \`${name}\` tiene ${bits} de 53 bits correctos:`,
  atKink: (name) =>
    `\`${name}\` está en su punto anguloso, donde la derivada se elige: otra sería igual de verdadera.`,
  exactly: (told) => `es ${told}, exactamente el valor verdadero.`,
  nearest: (told) => `es ${told}, el double más cercano al valor verdadero.`,
  truly: (told, truth) => `es ${told}, y en verdad ${truth}.`,
  reasons: {
    domain: "Ahí, su operando verdadero está fuera del dominio.",
    depends: "Depende de un número que no existe.",
    too_large: "Es mayor que todos los double.",
    out_of_range: "Es demasiado grande, demasiado pequeño o demasiado cercano a 0.",
  },
  given: (text, double) => `La verdad es la de los double dados: \`${text}\` es ${double}.`,
  invite:
    "La barra bajo un número es la parte de sus 53 bits que es correcta. Elige una barra para ver qué redondeo se llevó el resto.",
  tooMuch: "Hallar los valores verdaderos de este programa es demasiado trabajo para la página.",
  rounded: {
    local_grad: (from, to) => `la derivada de \`${from}\` a \`${to}\``,
    contribution: (from, to) => `lo que \`${from}\` envía a \`${to}\``,
    running_grad: (_, to) => `la suma de gradientes en \`${to}\``,
  },
  culprit: (what, rounding, weight, share, error) =>
    `Redondear ${what} lo desvió ${rounding}; por su peso ${weight} da ${share}` +
    (share === error ? ", todo el error." : ` del error ${error}.`),
  absorbed: (part, sum, told) =>
    `\`${sum}\` se redondea a ${told}, así que de \`${part}\` no queda nada.`,
  flat: (out, told, formula) =>
    `\`${out}\` es casi ${told}: de \`${formula}\` queda poco, y el redondeo se queda.`,
  cancels: (where, size, left) =>
    `En \`${where}\`, números de hasta ${size} se cancelan hasta ${left}, y sus redondeos quedan.`,
  quotients: {
    title: (name) => `Error de (f(${name} + h) − f(${name} − h)) / 2h según h`,
    rounding: "redondeo",
    truncation: "truncamiento",
    best: (error, step) => `el menor: ${error}, con h = ${step}`,
    backward: (error) => `el pase hacia atrás: ${error}`,
    none: "Aquí no hay diferencia central que comparar con la verdad.",
  },
};

export const code: Translation["code"] = {
  line: (at, of) => `línea ${at} de ${of}`,
  idle: "Recorre hacia atrás u ordena, y cada paso ilumina la línea que lo da.",
  forward: "El pase hacia adelante es el propio programa; este es el código del pase hacia atrás.",
  why: (name, old) =>
    `Por qué \`+=\`: lo que llega se suma a lo que hay. \`${name}\` tenía [g:${old}], que con \`=\` se perdería.`,
  whyEmpty: (name) =>
    `Por qué \`+=\`: lo que llega se suma a lo que hay. \`${name}\` tenía [g:0]; un valor usado dos veces ya tendría algo.`,
  goesDown: "v baja por esta lista",
  waiting: "en espera",
  more: (count) => `… ${count} más`,
  operands: "Qué operando se llama primero",
  leftFirst: "izquierdo primero",
  rightFirst: "derecho primero",
  stack: "Pila de llamadas",
  child: (at, of) => `operando ${at} de ${of}`,
  noChild: "sin operandos",
  begins: "empieza",
  returns: "ya visitado: vuelve enseguida",
  visited: "conjunto de los llamados",
  topo: "lista de los terminados",
  reversed: "el orden del pase hacia atrás",
  empty: "vacía",
  start:
    "¿En qué orden va cada valor después de todo lo que necesita? El ordenamiento llama antes a todos los operandos: primero el izquierdo o primero el derecho.",
  root: (name) =>
    `El ordenamiento empieza por el resultado: \`build(${name})\` pone \`${name}\` en \`visited\`.`,
  enter: (from, to) =>
    `\`${from}\` pide su operando \`${to}\`, que es nuevo: empieza \`build(${to})\`, y \`${from}\` espera.`,
  skip: (from, to) =>
    `\`${from}\` pide \`${to}\`, que ya está en \`visited\`: se salta. Así \`${to}\` está en \`topo\` una sola vez, antes de todos los que lo usan.`,
  leaf: (name, place) =>
    `\`${name}\` no tiene operandos: entra enseguida en \`topo\`, con el número ${place}.`,
  append: (name, place) =>
    `Todos los operandos de \`${name}\` están en \`topo\`; los sigue \`${name}\`, con el número ${place}.`,
  reverse: (first) =>
    `Invertida, \`topo\` es un orden para el pase hacia atrás: primero \`${first}\`, y cada valor después de todos los que lo usan.`,
};

export const training: Translation["training"] = {
  forget: "Olvidar zero_grad",
  lessons: "Qué entrenar",
  names: { line: "Una recta", neuron: "La neurona", xor: "XOR, 2-4-1 tanh" },
  which: "¿Qué variables pueden aprender?",
  mark: "Un paso de entrenamiento mueve los parámetros en contra de su gradiente, y así el resultado baja. Marca al menos uno:",
  stopped: "Esto no se puede entrenar",
  loss: "Pérdida",
  size: "norma de grad",
  drag: "arrastra abajo para volver a cualquier paso",
  timeline: "Línea de tiempo: una marca, un paso de entrenamiento",
  curve: (first, at, now) => `Pérdida por paso: ${first} en el paso 0, ${now} en el paso ${at}`,
  toStart: "Al inicio",
  rate: "Tasa de aprendizaje",
  rateNumber: "Tasa de aprendizaje, como número",
  endedAt: (step) => `El paso ${step} falló:`,
  rows: "La pérdida es la media de cuatro filas; el grafo muestra una de ellas.",
  look: "Ver la fila",
  see: (row) => `Mostrar ${row}`,
  bold: "¿Un paso demasiado grande?",
  boldly:
    "Con 0.01, cada paso deja 0.64 de la pérdida. Con 0.1 salta de un lado a otro y se queda en 4.",
  setAndSee: (rate) => `Probar ${rate}`,
  map: {
    caption: (output, first, second) =>
      `\`${output}\` según \`${first}\` y \`${second}\`, con los pesos de este paso; en la línea es 0.`,
    right: (right, all) => `Signo correcto: ${right} de ${all}.`,
    told: (output, first, second, share) =>
      `Mapa de ${output} según ${first} y ${second}: mayor que 0 en el ${share} %`,
  },
};

const SCENES: Translation["lesson"]["scenes"] = {
  graph: {
    title: "Una fórmula es un grafo",
    caption:
      "Cada tarjeta es un valor, y cada arista va de una entrada a lo que se calcula con ella: primero `a + b`, luego eso por `c`. Recorre hacia adelante y mira cómo llegan los números.",
    task: "Antes de empezar: ¿cuál es el resultado?",
    hint: "Primero `a + b`, que es [d:2] + ([d:−3]); luego por `c`, que es [d:10].",
    why: "([d:2] − [d:3]) × [d:10] = [d:−10]. Eso es el pase hacia adelante.",
    learned:
      "Una expresión es un grafo; el pase hacia adelante calcula cada valor a partir de sus entradas.",
  },
  product: {
    title: "La regla de la cadena en una arista",
    caption:
      "Un gradiente dice a qué ritmo cambia el resultado con un valor. El del propio resultado es [g:1]. Cada arista lleva gradiente entrante × derivada local; en un producto, esa derivada es el otro factor.",
    task: "¿Cuál es el gradiente de `c`?",
    hint: "El otro factor de `c` es `a + b`. ¿Qué número hay en su tarjeta?",
    why: "[g:1] × [d:−1] = [g:−1]: si `c` crece, el resultado baja. Pulsa Paso y mira cómo llega.",
    learned:
      "Una arista lleva gradiente entrante × derivada local; un producto intercambia sus factores.",
  },
  sum: {
    title: "Una suma copia",
    caption:
      "Van dos pasos: `a + b` ha recibido [g:10] y `c` ha recibido [g:−1]. La derivada local de una suma es [d:1] para cada entrada.",
    task: "¿Qué le llegará a `a`?",
    hint: "Toma lo que ha recibido `a + b` y multiplícalo por la derivada local de una suma.",
    why: "[g:10] × [d:1] = [g:10], y lo mismo para `b`.",
    learned: "Una suma pasa el gradiente que recibe a cada una de sus entradas.",
  },
  twice: {
    title: "Usado dos veces: `+=`",
    caption:
      "En `a * a` dos aristas vuelven a `a`. Los dos factores son `a`, así que el otro factor de cada una es [d:3].",
    task: "¿Cuál es el gradiente de `a`?",
    hint: "Las dos aristas traen algo. ¿Cuánto suman?",
    why: "[g:3] + [g:3] = [g:6], como dice `2 * a`. Con `=` en lugar de `+=` solo quedaría el último [g:3].",
    learned: "Un valor que se usa dos veces suma lo que llega: `+=`, nunca `=`.",
  },
  order: {
    title: "Una visita demasiado pronto",
    caption:
      "Aquí `b` se visita antes que `d`: aún no tiene nada que pasar, y lo que `d` le trae llega demasiado tarde. `c` va después de `d` y recibe `b`, que es [d:3].",
    task: "¿Con qué gradiente acabará `a` en este orden?",
    hint: "Solo `c` tiene aún algo para `a`: su gradiente [g:3] por la derivada local [d:3]. `b` pasa [g:0].",
    why: "[g:3] × [d:3] + [g:0] = [g:9]; lo correcto es [g:15]. Prueba este orden, mira qué se pierde y pon `d` en primer lugar.",
    learned: "Un valor solo se visita cuando ya se han visitado todos los que lo usan.",
  },
  sort: {
    title: "El ordenamiento que halla el orden",
    caption:
      "`build` se llama a sí misma para las entradas de un valor y luego añade el valor a `topo`. Lo que está en `visited` no se vuelve a llamar. El pase hacia atrás recorre la lista al revés.",
    task: "`a` es entrada de `b` y de `c`. ¿Cuántas veces entra en `topo`?",
    hint: "Cuando `c` pide `a`, ya está en `visited`.",
    why: "Una: en la segunda llamada ya está en `visited` y se salta. Reproduce el ordenamiento y verás las dos llamadas.",
    learned:
      "El orden topológico, invertido, visita cada valor una vez, después de todos los que lo usan.",
  },
  dead: {
    title: "Una relu muerta",
    caption:
      "`relu` deja pasar lo que es mayor que 0 y convierte todo lo demás en [d:0]. Aquí `w * x + b` es [d:−8].",
    task: "¿Cuál es el gradiente de `w`?",
    hint: "Por debajo de 0 la curva de `relu` es plana. ¿Qué pendiente tiene?",
    why: "[g:1] × [d:0] = [g:0], y así para todo lo anterior: ningún paso de entrenamiento lo mueve. Arrastra `b` hacia arriba hasta que reviva.",
    learned: "Por debajo de 0, relu no pasa nada, y lo que hay antes no aprende nada.",
  },
  neuron: {
    title: "Una neurona",
    caption:
      "Dos entradas, dos pesos, un sesgo y `tanh`, cuya derivada local es 1 − o². Con este sesgo `o` es [d:0.7071], y la derivada [d:0.5].",
    task: "¿Cuál es el gradiente de `w1`?",
    hint: "[g:0.5] pasa por las dos sumas sin cambios. El otro factor de `w1` es `x1`, que es [d:2].",
    why: "[g:0.5] × [d:2] = [g:1]. Y `w2` recibe [g:0], porque `x2` es [d:0].",
    learned:
      "A través de una neurona, el gradiente es 1 − o², luego una copia en cada suma, luego el otro factor.",
  },
  training: {
    title: "Un paso de entrenamiento",
    caption:
      "Un paso mueve cada parámetro en contra de su gradiente: `w` − tasa de aprendizaje × gradiente. Con `w` = [d:2] la pérdida es [d:4], el gradiente de `w` es [g:12] y la tasa es 0.01.",
    task: "¿Cuánto valdrá `w` después de un paso?",
    hint: "Resta 0.01 × [g:12] de [d:2].",
    why: "[d:2] − 0.01 × [g:12] = [d:1.88], y la pérdida baja a [d:2.56]. Pulsa Entrenar para seguir.",
    learned: "Entrenar es ir en contra del gradiente, con pasos pequeños.",
  },
  modes: {
    title: "Modo directo o inverso",
    caption:
      "Las derivadas también se pueden llevar hacia adelante junto a los datos, de una entrada al resultado: un pase por cada entrada. El modo inverso, que has recorrido, las tiene todas tras un solo pase hacia atrás.",
    task: "¿Cuántos pases del modo directo dan los gradientes de las cinco entradas?",
    hint: "Cada pase empieza en una entrada. Cuenta las entradas: `x1`, `x2`, `w1`, `w2`, `b`.",
    why: "[d:5] frente a [d:1]. Con mil millones de parámetros y una pérdida, eso decide: backward() es el modo inverso.",
    learned: "El modo inverso da todos los gradientes de un resultado en un solo pase hacia atrás.",
  },
};

export const lesson: Translation["lesson"] = {
  name: "Escena",
  places: "Escenas de la lección",
  skip: "Saltar →",
  next: "Siguiente escena →",
  close: "Cerrar",
  end: "Lo que has aprendido",
  learned: (done, of) => `${done} de ${of} escenas hechas:`,
  scenes: SCENES,
};
