import type { Readable, Writable } from 'node:stream';

interface Question {
  readonly text: string;
  answer(yes: boolean): void;
}

/** Reads lines that a person types in the terminal, and asks questions there, one at a time. */
export class TerminalLines {
  readonly #output: Writable;
  #onEnter = (): void => {};
  readonly #questions: Question[] = [];
  #ended = false;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Starts to read. Keeps the process running. Calls `onEnter` for each line while there is no question. */
  read(input: Readable, onEnter: () => void): void {
    this.#onEnter = onEnter;
    input.on('data', (chunk: Buffer | string) => this.#onLine(String(chunk)));
    input.on('end', () => {
      this.#ended = true;
      for (const { answer } of this.#questions.splice(0)) answer(false);
    });
  }

  /** Asks a question. Only `y` and `yes` mean true, and the end of the input means false. `text` must be printable. */
  ask(text: string): Promise<boolean> {
    if (this.#ended) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#questions.push({ text, answer: resolve });
      if (this.#questions.length === 1) this.#output.write(text);
    });
  }

  /** A chunk is what was typed before Enter. Pasted lines count as one, so that only one question gets an answer. */
  #onLine(line: string): void {
    const question = this.#questions.shift();
    if (!question) {
      this.#onEnter();
      return;
    }
    question.answer(/^y(?:es)?$/i.test(line.trim()));
    if (this.#questions[0]) this.#output.write(this.#questions[0].text);
  }
}
