/** Spanish: examples and pitfalls, which the service publishes in English; by the same names. */

import { listed } from "../listed.ts";

export const EXAMPLES = listed(
  ["title", "about"],
  [
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
  ],
);

export const PITFALLS = listed(
  ["title", "about", "cure"],
  [
    "assigning-instead-of-adding | = en lugar de += | Un nodo usado dos veces recibe dos contribuciones. Un pase hacia atrás que asigna solo guarda la última, y acierta mientras nada se comparta. | Escribe `grad +=`, nunca `grad =`.",
    "wrong-order | Un nodo antes que quienes lo usan | b pasa lo que tiene cuando se visita. Visitado antes que d aún no tiene nada, y el 6 de d llega demasiado tarde. | Visita los nodos en orden topológico inverso.",
    "second-backward | backward() dos veces sin poner a cero | Los gradientes de los dos pases se suman. Es más que duplicar: el gradiente de a * b también es viejo, así que a y b reciben el triple. | Pon a 0 todos los gradientes antes de cada pase hacia atrás, también los de los nodos internos.",
    "mutation-before-backward | Datos cambiados antes de backward() | Las clausuras leen sus operandos cuando corre backward. Si a se pone a 5 tras el pase hacia adelante, el gradiente de b mezcla dos programas. | Cambia los datos solo después de backward() y repite el pase hacia adelante.",
    "dead-relu | Una relu que nunca aprende | Por debajo de 0, relu no deja pasar nada, y ningún peso anterior cambia. Los gradientes son correctos, e inútiles: el entrenamiento se detiene. | Empieza donde relu esté por encima de 0: con b = 1 el gradiente de w es 2.",
    "variable-exponent | Una variable como exponente | micrograd solo deriva respecto de la base y, sin avisar, deja en 0 el gradiente del exponente. Este motor lo rechaza. | Escribe `exp(n * log(x))`, que tiene los dos gradientes.",
  ],
);
