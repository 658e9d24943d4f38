/**
 * The sandbox as an element of a page, which importing this module defines:
 *
 *     <gradient-sandbox expression="a * b" values="a:2,b:3"></gradient-sandbox>
 *
 * It is a frame: of the page that is a module beside this one, or of a sandbox that somebody serves,
 * whose address is `src`. `parameters` are names, as in "w,b", and `show` names the parts besides
 * the graph, of "title,expression,panel,more". At each change, also of a slider, it sends the event
 * `change`, whose `detail` is a `SandboxDetail`. Where there is no page it says so.
 */

/** What is shown, as the page tells it. */
export interface SandboxDetail {
  readonly address: string;
  readonly expression: string;
  readonly values: Readonly<Record<string, number>>;
  readonly parameters: readonly string[];
  readonly result: number;
  readonly gradients: Readonly<Record<string, number>>;
  readonly error: string | null;
  readonly way: "forward" | "sort" | "backward";
  readonly step: number;
  readonly steps: number;
  /** What the address asks, and what was answered; null where it asks nothing. */
  readonly task: {
    readonly lesson: string;
    readonly task: string;
    readonly reply: string;
    readonly isRight: boolean | null;
  } | null;
  /** The lessons' tasks that are done. */
  readonly tasks: readonly string[];
  /** What each gradient was guessed to be, by name: "open", "right", "wrong" and so on. */
  readonly guesses: Readonly<Record<string, string>>;
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
/** What the text of each page has that is a sandbox. */
const TITLE = "<title>Gradient sandbox</title>";
const STYLE = `
  :host { display: block; height: 40rem; }
  iframe { width: 100%; height: 100%; border: 0; }
`;
const PARTS = { e: "expression", v: "values", p: "parameters" };

/** A server that renders a page may import this, and has no elements. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement;

export class GradientSandbox extends Base {
  static readonly observedAttributes = ["src", "show", ...Object.values(PARTS)];

  #frame = document.createElement("iframe");
  /** What the frame was told to show; null as long as it does not listen. */
  #told: string | null = null;
  #begun = "";

  constructor() {
    super();
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [style];
  }

  connectedCallback(): void {
    addEventListener("message", this.#hear);
    void this.#load();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#hear);
  }

  /** Where only the program is another one, the page stays and is told. */
  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    if (name === "src" || name === "show") void this.#load();
    else this.#follow();
  }

  /** Take a new frame, so that the browser's history has nothing of it. */
  async #load(): Promise<void> {
    const frame = document.createElement("iframe");
    [this.#frame, this.#told] = [frame, null];
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

  /** Say what the frame shows. Throws an Error where there is no page. */
  async #fill(frame: HTMLIFrameElement): Promise<void> {
    const src = this.getAttribute("src");
    const show = this.getAttribute("show") ?? "expression,panel";
    const query = new URLSearchParams({ embed: "", from: location.origin, show });
    if (src === null) {
      const { default: page } = await import("./page.js");
      if (page === null) throw new Error("this checkout has no page; `make page` builds it");
      this.#begun = this.#program();
      // Such a page has no address; it takes its name for one.
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
    if (this.#told === null || this.#told === program) return;
    this.#told = program;
    this.#frame.contentWindow!.postMessage({ type: TYPE, address: program }, "*");
  }

  readonly #hear = ({ source, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || data?.type !== TYPE) return;
    if (this.#told === null) {
      this.#told = this.#begun;
      this.#follow(); // what has changed since the frame began
    }
    this.dispatchEvent(new CustomEvent<SandboxDetail>("change", { detail: data }));
  };
}

/**
 * Refuse an address of this site at which there is no sandbox.
 *
 * Many sites have their own page there, with status 200, and it would frame itself without end.
 */
async function refuseOtherPage(address: URL): Promise<void> {
  if (address.origin !== location.origin) return;
  const reply = await fetch(address);
  if (reply.ok && (await reply.text()).includes(TITLE)) return;
  throw new Error(`there is no sandbox at ${address.origin}${address.pathname}`);
}

globalThis.customElements?.define(TYPE, GradientSandbox);

declare global {
  interface HTMLElementTagNameMap {
    "gradient-sandbox": GradientSandbox;
  }
}

/** @ts-ignore - where there is no React, it has no JSX */
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      /** @ts-ignore */
      "gradient-sandbox": DetailedHTMLProps<HTMLAttributes<GradientSandbox>, GradientSandbox> &
        SandboxAttributes & { readonly onchange?: (event: CustomEvent<SandboxDetail>) => void };
    }
  }
}
