/** The 404 page. The proxy serves the only page for most paths, so it is rarely seen. */
export default function NotFound() {
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2">
      <h1 className="text-title font-medium">Page not found</h1>
      <a href="/" className="text-accent underline">
        Open the inspector
      </a>
    </main>
  );
}
