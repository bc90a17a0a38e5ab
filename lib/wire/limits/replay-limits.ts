/** Replaying a session, doing it again, and comparing two. */
export const REPLAY_LIMITS = {
  /** Recorded calls that a request without a match is compared with, names told of, and characters of each. */
  replayCandidates: 200,
  replayNames: 50,
  replayShownChars: 200,
  /** Messages that wait for a replay's client to open its stream; the oldest are dropped first. */
  replayWaiting: 1000,
  /** Events that a replay over HTTP keeps for clients that come back for the rest of a stream, and characters of them, of all sessions. */
  replayKept: 10_000,
  replayKeptChars: 32 * 1024 * 1024,
  /** How long a replay on stdio waits between what it told and an answer, so that clients do not read both in one piece. */
  replayApartMs: 50,
  /** How long a replay goes on answering once its client has said all. */
  replayFinishMs: 60_000,
  /** Request line and headers of a replay's client: some repeat arguments (2026-07-28). */
  replayHeaderBytes: 256 * 1024,
  /** Sessions of a replay over HTTP; the oldest ends first. */
  replaySessions: 100,
  /** Ids of a client's last requests by which a replay tells it from others (2026-07-28). */
  replayIds: 100,
  /** How often a task is asked for that was over in a recording, and how long is waited in between. */
  taskPolls: 240,
  taskPollMs: 250,
  /** Comparing: a longer string is compared as it stands, and one that a server made up, to be sent back, is no longer than this. */
  normalisedChars: 1_000_000,
  opaqueChars: 4096,
  /** Differences told of one value, items and steps looked at to find an item's counterpart, and characters shown of a value. */
  differencesTold: 50,
  differenceItems: 50,
  differenceSteps: 2_000_000,
  differenceChars: 160,
  /** Bytes of two logs that a page compares: what they say is held once more for that. */
  comparedLogBytes: 128 * 1024 * 1024,
  /** Schemas looked at in the comparison of two, and changes of one list of things that are told. */
  comparedSchemas: 20_000,
  changesTold: 2000,
} as const;
