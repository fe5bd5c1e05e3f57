// A container's process: it ends with us, however we end, and what it prints is kept as far as a kubelet would keep it.
import { spawn } from 'node:child_process'

export interface ProcessCall {
  readonly command: readonly string[]
  /** The whole environment of the process: it inherits nothing from ours. */
  readonly env: Readonly<Record<string, string>>
  readonly onPrinted: (text: string) => void
}

export interface ContainerProcess {
  readonly ended: Promise<number>
  stop(): void
}

// The shell between holds our pipe: when that closes, for whatever reason, it ends the program.
const guard = `exec 3<&0
"$@" </dev/null 3<&- &
child=$!
(cat <&3; kill -9 $child) >/dev/null 2>&1 &
wait $child`

export function startProcess({ command, env, onPrinted }: ProcessCall): ContainerProcess {
  const child = spawn('sh', ['-c', guard, 'sh', ...command], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr } = child
  stdin.on('error', () => {})
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', (text: string) => onPrinted(text))
  const ended = new Promise<number>(resolve => {
    child.on('error', error => {
      onPrinted(`${String(error)}\n`)
      resolve(128)
    })
    child.on('exit', () => stdin.destroy())
    child.on('close', code => resolve(code ?? 137))
  })
  return { ended, stop: () => stdin.destroy() }
}
