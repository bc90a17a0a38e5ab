/** Behind a name that stands more than once in its object. */
export function RepeatedMark() {
  return (
    <span className="text-warn" title="The name occurs before in this object. Most readers take the last one.">
      {' '}
      ! repeated
    </span>
  );
}
