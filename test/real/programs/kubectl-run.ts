// Runs one kubectl scenario against one server and gives what it printed, in a form that two servers can be compared by.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { given } from '#base'
import type { Command, Scenario } from './kubectl-commands.ts'

export interface Printed {
  readonly command: string
  readonly code: number
  readonly text: string
}

export interface KubectlServer {
  readonly kubectl: string
  /** The content, not the path. */
  readonly kubeconfig: string
}

/** A home of its own per scenario: kubectl keeps discovery and OpenAPI there by address, and addresses are used again. */
export async function runScenario(server: KubectlServer, scenario: Scenario, id: string): Promise<Printed[]> {
  const home = mkdtempSync(join(tmpdir(), 'vouch-kubectl-'))
  try {
    writeFileSync(join(home, 'kubeconfig'), server.kubeconfig, { mode: 0o600 })
    const printed: Printed[] = []
    await kubectl(server.kubectl, home, ['create', 'namespace', id])
    await kubectl(server.kubectl, home, ['create', 'serviceaccount', 'default', '-n', id])
    const besides: Promise<Printed>[] = []
    for (const one of scenario.commands) {
      const command = typeof one === 'string' ? { type: one } : one
      if (command.afterMs !== undefined) await new Promise(resolve => setTimeout(resolve, command.afterMs))
      const running = runCommand(server.kubectl, home, command, id)
      if (command.besides === undefined) printed.push(await running)
      else {
        besides.push(running)
        // Long enough to list and open the watch.
        await new Promise(resolve => setTimeout(resolve, 700))
      }
    }
    return [...printed, ...(await Promise.all(besides))]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function runCommand(program: string, home: string, command: Command, id: string): Promise<Printed> {
  const fill = (text: string): string => text.replaceAll('{ns}', id).replaceAll('{group}', `${id}.example.com`)
  const typed = fill(command.type)
  const { input } = command
  const { code, text } = await kubectl(program, home, ['-n', id, ...words(typed)], {
    ...(input === undefined ? {} : { input: fill(typeof input === 'string' ? input : JSON.stringify(input)) }),
    ...given({ env: command.env, endAfterMs: command.besides }),
  })
  const plain = normaliseText(text)
  return {
    command: typed,
    code: command.besides === undefined ? code : 0,
    text: command.compare === undefined ? plain : command.compare(plain),
  }
}

interface Run {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly endAfterMs?: number
}

function kubectl(program: string, home: string, args: readonly string[], run: Run = {}): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: join(home, 'kubeconfig'), ...run.env }
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    // Errors after output, whatever the order in which the two pipes were read.
    const parts = { out: '', err: '' }
    child.stdout.on('data', chunk => (parts.out += String(chunk)))
    child.stderr.on('data', chunk => (parts.err += String(chunk)))
    child.stdin.on('error', () => {})
    child.stdin.end(run.input ?? '')
    const timer = setTimeout(() => child.kill('SIGKILL'), run.endAfterMs ?? 30_000)
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ code: code ?? -1, text: parts.out + parts.err })
    })
  })
}

/** Splits as a shell would, for the quotes that people use around patches. */
function words(typed: string): string[] {
  return [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

export function normaliseText(text: string): string {
  return (
    text
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>')
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
      .replace(/(resourceVersion"?: )"?\d+"?/g, '$1<rv>')
      .replace(/(resourceVersion\\":\\")\d+/g, '$1<rv>')
      // On a busy machine a watch may end before it has begun; the client says so in its log and asks again.
      .replace(/^[IWE]\d{4} .*very short watch.*\n/gm, '')
      // The header of a line of the log: time, process, place in the source.
      .replace(/^[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm, '<log> ')
      .replace(/(Resource Version: +)\d+/g, '$1<rv>')
      .replace(/20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replace(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, '<time>')
      .replace(/\b10\.(9[6-9]|1[01]\d)\.\d+\.\d+/g, '<ip>')
      .replace(/:3[0-2]\d{3}\b/g, ':<port>')
      .replace(/NodePort:( +)<unset>( +)3[0-2]\d{3}/g, 'NodePort:$1<unset>$2<port>')
      .replace(/(127\.0\.0\.1|localhost):\d{4,5}/g, '$1:<port>')
      .replace(/gen-[a-z0-9]{5}\b/g, 'gen-<5>')
      .replace(/(LIVE|MERGED)-\d+/g, '$1')
      // Ages, and the width that they give their column.
      .replace(/(?<=\s)\d+(s|m|h|d)(\d+(s|m))?(?=\s|$)/g, '<age>')
      // The real server goes through a map to find what is wrong: the same faults come in any order.
      .replace(/(?:^\* .*\n){2,}/gm, faults => `${faults.trimEnd().split('\n').sort().join('\n')}\n`)
      .replace(/[ \t]+$/gm, '')
      .replace(/ {2,}/g, '  ')
  )
}
