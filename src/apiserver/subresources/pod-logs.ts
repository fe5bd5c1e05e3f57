// What programs of pods printed, kept per pod: the end of it, as a kubelet keeps it.

/** A chatty workload must not fill the server's memory. */
const logLengthMax = 65_536

export class PodLogs {
  readonly #texts = new Map<string, string>()

  /** Absent where no program of the pod was ever run. */
  read(podUid: string): string | undefined {
    return this.#texts.get(podUid)
  }

  append(podUid: string, text: string): void {
    this.#texts.set(podUid, ((this.read(podUid) ?? '') + text).slice(-logLengthMax))
  }

  drop(podUid: string): void {
    this.#texts.delete(podUid)
  }
}
