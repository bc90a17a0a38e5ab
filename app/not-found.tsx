/** For paths that no page has; the proxy answers most of them with the one page there is. */
export default function NotFound() {
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2">
      <h1 className="text-title font-medium">There is no page at this address</h1>
      <a href="/" className="text-accent underline">
        Go to the inspector
      </a>
    </main>
  );
}
