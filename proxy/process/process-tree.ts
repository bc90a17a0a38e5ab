/** The processes that one server consists of: the one we started and what that started. */
export interface ProcessTree {
  /** False once everything in the tree is known to be gone; never true again after that. */
  isAlive(): boolean;
  /** Signals the whole tree; does nothing once it is gone. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** To be called in the very `exit` event of the process we started: from then on its pid is no longer ours by itself. */
  leaderExited(): void;
}
