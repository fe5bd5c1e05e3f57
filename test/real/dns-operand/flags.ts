// ExternalDNS started with nothing around it: how far it comes says whether it took its arguments. It reads its flags, then its configuration,
// and only then looks for a cluster, which is not there.
import { spawn } from 'node:child_process'

export type Verdict = 'taken' | `refused: ${string}`

const endMs = 20_000

export async function verdictOn(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const look = (text: string): void => {
    said += text
    // With a cluster to look for it has nothing more to say of its arguments.
    if (hasTaken(said)) child.kill('SIGKILL')
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', look)
  const timer = setTimeout(() => child.kill('SIGKILL'), endMs)
  await new Promise<void>(resolve => child.on('close', () => resolve()))
  clearTimeout(timer)
  const refusal = /msg="((?:flag parsing error|config validation failed)(?:[^"\\]|\\.)*)"/.exec(said)?.[1]
  if (refusal !== undefined) return `refused: ${refusal}`
  return hasTaken(said) ? 'taken' : `refused: it said nothing of a cluster: ${said.slice(-500)}`
}

/** Its configuration is printed before it is judged, and names all of this as well. */
function hasTaken(said: string): boolean {
  return /kubeconfig|KUBERNETES_SERVICE_HOST|in-cluster|Instantiating new Kubernetes client|apiServerURL/i.test(
    said.replace(/config: \{[^\n]*/, ''),
  )
}
