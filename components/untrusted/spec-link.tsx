/** A link to a page of the specification: an address of our own making, so its words say enough of where it leads. */
export function SpecLink({ section, url }: { readonly section: string; readonly url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={url} className="text-accent underline">
      Specification {section}
    </a>
  );
}
