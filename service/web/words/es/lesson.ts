/** Spanish: what stands above the graph of a scene, and the page's own lesson. */

import type { LessonWords } from "../en/lesson.ts";

const SCENES: LessonWords["scenes"] = {
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

export const lesson: LessonWords = {
  name: "Escena",
  title: (at, of, title) => `${at} de ${of} · ${title}`,
  places: "Escenas de la lección",
  task: "Tarea:",
  predict: "Predice:",
  skip: "Saltar →",
  next: "Siguiente escena →",
  finish: "Lo que has aprendido →",
  done: "hecha",
  close: "Cerrar",
  leave: "Salir de la lección",
  end: "Lo que has aprendido",
  learned: (done, of) => `${done} de ${of} escenas hechas:`,
  scenes: SCENES,
};
