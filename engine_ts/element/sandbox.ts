/**
 * The sandbox as a custom element, which importing this module defines:
 *
 *     <gradient-sandbox expression="a * b" values="a:2,b:3"></gradient-sandbox>
 *
 * It is a frame that shows the page in the module next to this one, or the sandbox at the address
 * `src`. `parameters` are names, as in "w,b". `show` lists parts to show with the graph, from
 * "title,expression,panel,more". Each attribute is also a property of the element, and so is `step`;
 * `play()` and `pause()` are its methods. At each change, also of a slider, it dispatches the event
 * `change`, whose `detail` is a `SandboxDetail` and which bubbles, also out of a shadow tree. It is
 * as high as its content, unless a style sheet of its page gives it a height. If there is no page,
 * it shows a message.
 */

/** The state that the page reports. */
export interface SandboxDetail {
  readonly address: string;
  readonly expression: string;
  readonly values: Readonly<Record<string, number>>;
  readonly parameters: readonly string[];
  /** Null if there is an error. */
  readonly result: number | null;
  readonly gradients: Readonly<Record<string, number>>;
  readonly error: string | null;
  readonly way: "forward" | "sort" | "backward";
  readonly step: number;
  readonly steps: number;
  /** The task in the address and its answer; null if the address has no task. */
  readonly task: {
    readonly lesson: string;
    readonly task: string;
    readonly reply: string;
    readonly isRight: boolean | null;
  } | null;
  /** The completed tasks of the lessons. */
  readonly tasks: readonly string[];
  /** The state of the guess at each gradient, by name: "open", "right", "wrong" and so on. */
  readonly guesses: Readonly<Record<string, string>>;
  /** The height of the content, in pixels; null on a phone, where the frame is the window. */
  readonly height: number | null;
}

/** The attributes of the element. */
export interface SandboxAttributes {
  readonly expression?: string;
  readonly values?: string;
  readonly parameters?: string;
  readonly show?: string;
  readonly src?: string;
}

const TYPE = "gradient-sandbox";
/** Text that every sandbox page contains. */
const TITLE = "<title>Gradient sandbox</title>";
/** The rules of the page around it override that of `:host`. */
const STYLE = `
  :host { display: block; height: 40rem; }
  iframe { width: 100%; height: 100%; border: 0; }
`;
const PARTS = { e: "expression", v: "values", p: "parameters" };

/** A server that renders pages may import this module; it has no `HTMLElement`. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement;

const ATTRIBUTES = ["src", "show", ...Object.values(PARTS)];

export class GradientSandbox extends Base {
  static readonly observedAttributes = ATTRIBUTES;

  /** Each attribute as a text, or null if it is missing; null removes it. */
  declare expression: string | null;
  declare values: string | null;
  declare parameters: string | null;
  declare show: string | null;
  declare src: string | null;

  #frame = document.createElement("iframe");
  /** The program last sent to the frame; null until the frame listens. */
  #sent: string | null = null;
  /** The program in the frame's first address. */
  #begun = "";
  #waiting: object[] = [];
  #detail: SandboxDetail | null = null;
  #style = new CSSStyleSheet();
  /** The width at which the frame got its height. */
  #width = 0;

  constructor() {
    super();
    this.#style.replaceSync(STYLE);
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [this.#style];
  }

  /** How many steps of the pass have been shown; null until the page is loaded. */
  get step(): number | null {
    return this.#detail?.step ?? null;
  }

  set step(step: number | null) {
    if (step !== null) this.#send({ step });
  }

  /** Play the pass from where it is, or from its start if it has ended. */
  play(): void {
    this.#send({ plays: true });
  }

  pause(): void {
    this.#send({ plays: false });
  }

  connectedCallback(): void {
    addEventListener("message", this.#hear);
    void this.#load();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#hear);
  }

  /** Load a new page only if `src` or `show` changes; send a new program to the present one. */
  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    if (name === "src" || name === "show") void this.#load();
    else this.#follow();
  }

  /** Create a new frame: another address in the old one would be an entry of the history. */
  async #load(): Promise<void> {
    const frame = document.createElement("iframe");
    [this.#frame, this.#sent] = [frame, null];
    frame.title = "Gradient sandbox";
    frame.allow = "clipboard-write; fullscreen";
    let shown: Element = frame;
    try {
      await this.#fill(frame);
    } catch (reason) {
      shown = document.createElement("p");
      shown.role = "alert";
      shown.textContent = `<gradient-sandbox>: ${(reason as Error).message}`;
    }
    if (this.#frame === frame) this.shadowRoot!.replaceChildren(shown);
  }

  /** Give the frame its page. Throws an Error if there is none. */
  async #fill(frame: HTMLIFrameElement): Promise<void> {
    const src = this.getAttribute("src");
    const show = this.getAttribute("show") ?? "expression,panel";
    const query = new URLSearchParams({ embed: "", from: location.origin, show });
    if (src === null) {
      const { default: page } = await import("./page.js");
      if (page === null) throw new Error("this checkout has no page; `make page` builds it");
      this.#begun = this.#program();
      // A page from `srcdoc` has no address, so it reads the frame's name instead.
      [frame.name, frame.srcdoc] = [`?${query}#${this.#begun}`, page];
      return;
    }
    const address = new URL(src, document.baseURI);
    for (const [name, text] of query) address.searchParams.set(name, text);
    await refuseOtherPage(address);
    this.#begun = address.hash = this.#program();
    frame.src = address.href;
  }

  #program(): string {
    return Object.entries(PARTS)
      .map(([part, name]) => [part, this.getAttribute(name)] as const)
      .filter(([, text]) => text !== null)
      .map(([part, text]) => `${part}=${encodeURIComponent(text!.replaceAll(/\s*,\s*/g, ","))}`)
      .join("&");
  }

  #follow(): void {
    const program = this.#program();
    if (this.#sent === null || this.#sent === program) return;
    this.#sent = program;
    this.#send({ address: program });
  }

  /** Send a message; until the frame listens, keep it. */
  #send(message: object): void {
    if (this.#sent === null) this.#waiting.push(message);
    else this.#frame.contentWindow!.postMessage({ type: TYPE, ...message }, "*");
  }

  /** Grow with the content; shrink only at another width, so that a step moves no text below. */
  #fit(height: number | null): void {
    const isNew = this.#width !== this.clientWidth;
    this.#width = this.clientWidth;
    if (height === null || (!isNew && height <= this.clientHeight)) return;
    (this.#style.cssRules[0] as CSSStyleRule).style.height = `${height}px`;
  }

  readonly #hear = ({ source, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || data?.type !== TYPE) return;
    if (this.#sent === null) {
      this.#sent = this.#begun;
      this.#follow(); // the program may have changed since the frame was created
      for (const message of this.#waiting.splice(0)) this.#send(message);
    }
    this.#detail = data;
    this.#fit(data.height);
    const options = { detail: data, bubbles: true, composed: true };
    this.dispatchEvent(new CustomEvent<SandboxDetail>("change", options));
  };
}

for (const name of ATTRIBUTES) {
  Object.defineProperty(GradientSandbox.prototype, name, {
    enumerable: true,
    configurable: true,
    get(this: GradientSandbox) {
      return this.getAttribute(name);
    },
    set(this: GradientSandbox, text: string | null) {
      if (text === null || text === undefined) this.removeAttribute(name);
      else this.setAttribute(name, text);
    },
  });
}

/**
 * Throw an Error if an address of this site has no sandbox.
 *
 * Many sites answer any path with their own page and status 200; it would frame itself endlessly.
 */
async function refuseOtherPage(address: URL): Promise<void> {
  if (address.origin !== location.origin) return;
  const reply = await fetch(address);
  if (reply.ok && (await reply.text()).includes(TITLE)) return;
  throw new Error(`there is no sandbox at ${address.origin}${address.pathname}`);
}

/** A second copy of this module, such as another version's from a CDN, leaves the first in place. */
if (!globalThis.customElements?.get(TYPE)) globalThis.customElements?.define(TYPE, GradientSandbox);

declare global {
  interface HTMLElementTagNameMap {
    "gradient-sandbox": GradientSandbox;
  }
}

/** @ts-ignore - without React there is no JSX namespace */
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      /** @ts-ignore */
      "gradient-sandbox": DetailedHTMLProps<HTMLAttributes<GradientSandbox>, GradientSandbox> &
        SandboxAttributes & { readonly onchange?: (event: CustomEvent<SandboxDetail>) => void };
    }
  }
}
