/** Estonian: what stands above the graph of a scene, and the page's own lesson. */

import type { LessonWords } from "../en/lesson.ts";

const SCENES: LessonWords["scenes"] = {
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
    title: "Otse või tagurpidi", // unsure: of forward and reverse mode, “otserežiim” and “pöördrežiim”
    caption:
      "Tuletisi saab kanda ka edasi, andmete kõrval, ühest sisendist tulemuseni: iga sisendi jaoks üks läbimine. Pöördrežiimil, mida sa läbisid, on need kõik olemas pärast ühte tagasilevi.",
    task: "Mitu otserežiimi läbimist annab kõigi viie sisendi gradiendid?",
    hint: "Iga läbimine algab ühest sisendist. Loenda sisendid: `x1`, `x2`, `w1`, `w2`, `b`.",
    why: "[d:5] ja [d:1]. Miljardi parameetri ja ühe kaoga see otsustab: backward() on pöördrežiim.",
    learned: "Pöördrežiim annab ühe tulemuse kõik gradiendid ühe tagasileviga.",
  },
};

export const lesson: LessonWords = {
  name: "Stseen",
  title: (at, of, title) => `${at} / ${of} · ${title}`,
  places: "Õppetunni stseenid",
  task: "Ülesanne:",
  predict: "Ennusta:",
  skip: "Jäta vahele →",
  next: "Järgmine stseen →",
  finish: "Mida sa õppisid →",
  done: "tehtud",
  close: "Sulge",
  leave: "Lahku õppetunnist",
  end: "Mida sa õppisid",
  learned: (done, of) => `Stseene tehtud: ${done} / ${of}`,
  scenes: SCENES,
};
