/** How long single keys do nothing after mcp-inspect moved the focus, in ms: longer than two keys of a fast typist. */
export const SETTLE_MS = 1000;

/**
 * An action of a person. `place`: puts the focus somewhere, by a click, Tab or Esc. `command`: gives a
 * command that may move the focus to another element, such as Enter or a shortcut. Letters are neither.
 */
type Act = 'place' | 'command';

/** How the focus moved. */
interface FocusMove {
  /** A modal dialog is open. */
  readonly modal?: boolean;
  /** Code of mcp-inspect moved it. */
  readonly isOurs?: boolean;
}

/**
 * Remembers who put the focus where it is. When a focused field disappears, or a form opens by itself, the person goes
 * on typing, and those letters must not run commands.
 */
export class FocusOrigin {
  readonly #now: () => number;
  /** The focused element; undefined for the page's body. */
  #at: unknown;
  #byPerson = true;
  #movedAt = Number.NEGATIVE_INFINITY;
  #act: Act | undefined;
  #placedAt = Number.NEGATIVE_INFINITY;
  #recoveredAt = Number.NEGATIVE_INFINITY;
  #modal = false;
  /** The place of the focus before a modal dialog opened. */
  #before: { readonly at: unknown; readonly byPerson: boolean } | undefined;

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Called while a person acts. Moves until {@link rest} are theirs. */
  act(act: Act): void {
    this.#act = act;
    if (act === 'place') this.#placedAt = this.#now();
  }

  /** Called when all that the act has caused is done. */
  rest(): void {
    this.#act = undefined;
  }

  /** Called when a person has put the focus where it was already. */
  confirm(): void {
    this.#byPerson = true;
  }

  /** Called after each change of the focus; undefined for the page's body. */
  moved(to: object | undefined, { modal = false, isOurs = false }: FocusMove = {}): void {
    if (to === this.#at) return;
    const before = { at: this.#at, byPerson: this.#byPerson };
    const wasModal = this.#modal;
    const isReturn = wasModal && !modal && this.#before?.at === to;
    const wasTheirs = isReturn && this.#before!.byPerson;
    if (modal && !wasModal) this.#before = before;
    this.#at = to;
    this.#modal = modal;
    // A command that removes the focused element did not put the focus on the body.
    const isTheirs = this.#act === 'place' || (this.#act === 'command' && to !== undefined);
    // Screen readers and other assistive technology move the focus without an event of theirs.
    const isForeign = to !== undefined && !isOurs && !modal && !wasModal;
    // Esc, or a click, that has just closed the dialog.
    const isClosed = wasTheirs && this.#now() - this.#placedAt < SETTLE_MS;
    if (isTheirs || isForeign || isClosed) {
      this.#byPerson = true;
      this.#recoveredAt = Number.NEGATIVE_INFINITY;
      return;
    }
    this.#byPerson = wasTheirs;
    // A dialog that opens takes all keys. It counts once it has closed.
    if (!modal) this.#movedAt = this.#now();
  }

  /** Called when the focused element is gone and mcp-inspect moves the focus to one near it. */
  recovered(): void {
    if (this.#act === undefined) this.#recoveredAt = this.#now();
  }

  /** Called while mcp-inspect is about to move the focus. */
  willMove(): void {
    this.#movedAt = this.#now();
  }

  /** True for a second after the focused element went without an action of the person, unless they moved the focus. */
  get isRecovered(): boolean {
    return this.#now() - this.#recoveredAt < SETTLE_MS;
  }

  /** True for a second after mcp-inspect moved the focus. */
  get isJustMoved(): boolean {
    return this.#now() - this.#movedAt < SETTLE_MS;
  }

  /** True if a person put the focus where it is, and mcp-inspect has not moved it within the last second. */
  get isSettled(): boolean {
    return this.#byPerson && !this.isJustMoved;
  }
}
