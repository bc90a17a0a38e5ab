import { type Diagnosis, diagnose } from '@/lib/doctor/diagnose';
import { diagnosisText } from '@/lib/doctor/diagnosis-text';
import type { TapHost } from '@/lib/mcp/tap';
import { Log } from '@/lib/store/log';
import type { Neighbourhood } from '@/lib/wire/command';
import type { Output } from '../terminal/output';

/** The log of one attempt, read where it was made. */
export class DoctorLog {
  readonly #log = new Log('doctor');

  /** Takes each frame as well, after `next`. */
  tap(next: TapHost['append']): TapHost['append'] {
    return (channel, direction, flags, time, source, start, end) => {
      next(channel, direction, flags, time, source, start, end);
      const seq = this.#log.size + 1;
      this.#log.append([{ seq, time, direction, channel, flags, bytes: source.slice(start, end) }]);
      return seq;
    };
  }

  /**
   * Prints why the server can't be reached, after having `look`ed further where that may help. False if this log has nothing
   * to say: it is of a command, or of a connection that did not fail.
   */
  async tell(out: Output, look: (where: Neighbourhood) => Promise<void>): Promise<boolean> {
    const first = diagnose(this.#log);
    const where = first?.actions.find((action) => action.kind === 'look-further')?.where;
    if (where) await look(where);
    const diagnosis = diagnose(this.#log);
    if (!diagnosis) return false;
    if (out.json) out.exact(JSON.stringify(withoutFrames(diagnosis)));
    else out.say(diagnosisText(withoutFrames(diagnosis), this.#url));
    return true;
  }

  get #url(): string {
    const { start } = this.#log.state.connection;
    return start && start.transport !== 'stdio' ? start.url : '';
  }
}

/** Frame numbers say nothing where no log is left. */
function withoutFrames({ seq: _, ...diagnosis }: Diagnosis): Omit<Diagnosis, 'seq'> {
  const steps = diagnosis.steps.map((step) => ({ ...step, evidence: step.evidence.map(({ text }) => ({ text })) }));
  return { ...diagnosis, steps };
}
