/** Replaces the pages of a PDF: what draws them is larger than the whole viewer. */
export default function NoPdf() {
  return <p className="text-muted">A shared file doesn’t show PDF pages. Download it to open it.</p>;
}
