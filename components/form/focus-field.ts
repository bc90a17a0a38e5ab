import { CONTROLS } from '@/components/ui/focus-form';
import { focusWhenThere } from '@/components/ui/focus-when-there';
import type { Path } from '@/lib/schema/document';
import { pathKey } from './problem-board';

/** Frames waited for until a field that is about to open is in the page. */
const FRAMES = 20;

/** Moves the focus to a field's input, once it is there, and brings it into view. Nothing if it does not come. */
export function focusField(path: Path, done?: () => void): void {
  focusWhenThere(
    () => {
      const field = document.querySelector(`[data-field="${CSS.escape(pathKey(path))}"]`);
      const control = field?.querySelector<HTMLElement>(CONTROLS);
      return field && control ? { control, within: field } : undefined;
    },
    FRAMES,
    done,
  );
}
