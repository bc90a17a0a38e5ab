import type { Path } from '@/lib/schema/document';
import type { Kind, View } from '@/lib/schema/shape';

/** What the input of one kind gets. The frame around it draws label, description, problems and buttons. */
export interface ControlProps<K extends Kind = Kind> {
  readonly view: View<K>;
  /** undefined is unset. null only if the view is nullable. Otherwise a value the kind can show. */
  readonly value: unknown;
  readonly path: Path;
  /** How the field is called: its property name, or `tags[0]`. */
  readonly label: string;
  readonly required: boolean;
  /** Levels of groups around it. */
  readonly depth: number;
  /** id that the label points at. */
  readonly id: string;
  /** Its name, where no label points at it. */
  readonly spoken?: string;
  readonly describedBy: string;
  readonly invalid: boolean;
  /** It shows what was sent: nothing changes it. */
  readonly readOnly?: boolean;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: () => void;
}

/** The attributes by which an input says what its frame shows. */
export function aria({
  spoken,
  describedBy,
  invalid,
  required,
  readOnly,
}: Pick<ControlProps, 'spoken' | 'describedBy' | 'invalid' | 'required' | 'readOnly'>) {
  return {
    'aria-label': spoken,
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': required || undefined,
    readOnly: readOnly || undefined,
  } as const;
}
