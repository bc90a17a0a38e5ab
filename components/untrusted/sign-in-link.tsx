import { signInUrlProblem } from '@/lib/wire/sign-in-url';

/** Opens the page of an authorization server apart, when a person clicks. An address that we don't open is not a link. */
export function SignInLink({ address }: { readonly address: string }) {
  const problem = signInUrlProblem(address);
  if (problem !== undefined) return <span className="text-error">This address is not opened: {problem}.</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex h-7 shrink-0 items-center rounded border border-transparent bg-accent px-2.5 font-medium whitespace-nowrap text-on-accent hover:opacity-90"
    >
      Sign in
    </a>
  );
}
