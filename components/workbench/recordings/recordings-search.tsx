import { TextInput } from '@/components/ui/text-input';

/** A list of so many is searched; of fewer each is in sight. */
const SEARCHED_FROM = 6;

interface RecordingsSearchProps {
  /** How many are listed. */
  readonly count: number;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** The box to search a list of recordings by; none where there are few. */
export function RecordingsSearch({ count, search, onSearch }: RecordingsSearchProps) {
  if (count < SEARCHED_FROM) return null;
  return (
    <TextInput
      type="search"
      aria-label="Search recordings"
      placeholder="Search recordings"
      value={search}
      onChange={onSearch}
      autoFocus
      className="w-52!"
    />
  );
}
