import type { AttemptFacts } from '../attempt-facts';
import type { DoctorFinding, Remedy } from '../finding';

/** Returns true for a failure of DNS or TCP with one of these codes. */
function failedWith(facts: AttemptFacts, step: 'dns' | 'tcp', ...codes: readonly string[]): boolean {
  const failure = facts.socket?.failure;
  return failure?.step === step && (codes.length === 0 || codes.includes(failure.code));
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|0\.0\.0\.0)$/;

/** Failures of DNS and TCP, before anything reached a server. */
export const NETWORK: readonly Remedy[] = [
  {
    code: 'address-refused',
    step: 'dns',
    find: (facts) =>
      failedWith(facts, 'dns', 'address-refused')
        ? {
            what: `${facts.failure.message}`,
            advice: 'If you trust this address, start mcp-inspect with --allow-link-local, then connect again.',
          }
        : undefined,
  },
  {
    code: 'host-unknown',
    step: 'dns',
    find: (facts) =>
      failedWith(facts, 'dns', 'ENOTFOUND', 'ENODATA', 'dns-failed')
        ? {
            what: `Could not find the host ${facts.socket?.host}.`,
            advice:
              'Check the spelling. If the name is internal to a company, connect to the VPN or set HTTPS_PROXY. For a container, use its published port on localhost.',
          }
        : undefined,
  },
  {
    code: 'resolver-silent',
    step: 'dns',
    find: (facts) =>
      failedWith(facts, 'dns', 'EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED')
        ? {
            what: `The DNS server did not answer for ${facts.socket?.host}.`,
            advice: 'Check that this machine is online, and check its VPN and DNS settings. Then try again.',
          }
        : undefined,
  },
  {
    code: 'dns-failed',
    step: 'dns',
    find: (facts) =>
      failedWith(facts, 'dns') ? { what: facts.failure.message, advice: facts.failure.advice } : undefined,
  },
  { code: 'refused-here', step: 'tcp', find: refusedHere },
  {
    code: 'refused',
    step: 'tcp',
    find: (facts) =>
      failedWith(facts, 'tcp', 'ECONNREFUSED')
        ? {
            what: `Nothing listens on port ${facts.socket?.port} of ${facts.socket?.host}.`,
            advice:
              'Start the server and check the port. Make sure that it listens on an address that this machine can reach, not only on 127.0.0.1.',
          }
        : undefined,
  },
  {
    code: 'connect-timeout',
    step: 'tcp',
    find: (facts) =>
      failedWith(facts, 'tcp', 'ETIMEDOUT')
        ? {
            what: `${facts.socket?.host} did not accept a connection on port ${facts.socket?.port} in time.`,
            advice: 'Check the host and the port. Then check for a firewall, a security group, or a VPN that is off.',
          }
        : undefined,
  },
  {
    code: 'unreachable',
    step: 'tcp',
    find: (facts) =>
      failedWith(facts, 'tcp', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT')
        ? {
            what: `This machine has no route to ${facts.socket?.address ?? facts.socket?.host}.`,
            advice: 'Check the network and the VPN. An IPv6 address needs a network with IPv6.',
          }
        : undefined,
  },
  {
    code: 'connect-failed',
    step: 'tcp',
    find: (facts) =>
      failedWith(facts, 'tcp') ? { what: facts.failure.message, advice: facts.failure.advice } : undefined,
  },
];

/** Explains a refused connection to this machine. Servers often listen on only one of the two loopback addresses. */
function refusedHere(facts: AttemptFacts): DoctorFinding | undefined {
  const { socket, sockets, further, looked } = facts;
  if (!failedWith(facts, 'tcp', 'ECONNREFUSED') || !socket || !LOOPBACK.test(socket.host)) return undefined;
  const tried = sockets.map(({ address }) => address).join(' and ');
  const what = `Nothing listens on port ${socket.port} of this machine (tried ${tried}).`;
  const start = 'Start the server, and compare the port with the one that it prints.';
  if (sockets.length > 1) return { what, advice: start };
  if (looked !== 'loopback') {
    const where = 'Servers often listen on only one of 127.0.0.1 and ::1.';
    return { what, advice: `${start} ${where}`, actions: [{ kind: 'look-further', where: 'loopback' }] };
  }
  const found = further.find(({ sockets: others }) => others.some(({ failure }) => failure?.step !== 'tcp'));
  if (!found)
    return {
      what: `Nothing listens on port ${socket.port} of this machine (tried 127.0.0.1 and ::1).`,
      advice: start,
    };
  const { hostname } = new URL(found.request.url);
  return {
    what: `Nothing listens at ${tried} on port ${socket.port}, but something answers at ${hostname}.`,
    advice: `Use ${hostname} in the URL, or make the server listen on both addresses.`,
    seq: found.response?.seq ?? found.request.seq,
    actions: [{ kind: 'use-url', url: found.request.url, transport: facts.start.transport }],
  };
}
