// What the operands of the story are: ExternalDNS itself where it has been built on this machine, and a stand-in of ours elsewhere.
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Image } from '../node/index.ts'

export interface ChosenOperand {
  readonly image: Image
  /** What the operand is, in words for the screen. */
  readonly what: string
}

/** Kept where `npm run test:real` keeps the programs that it builds from their Go modules. */
const kept = 'external-dns-0.13.6'

export function chooseOperand(): ChosenOperand {
  const program = builtProgram()
  if (program !== undefined) {
    const image: Image = { program, kubeconfigArguments: path => [`--kubeconfig=${path}`] }
    return { image, what: `${kept.replace('external-dns-', 'ExternalDNS ')} itself, built from its Go module` }
  }
  const first = ['--disable-warning=ExperimentalWarning', process.argv[1] ?? '', 'external-dns-stand-in']
  const image: Image = { program: process.execPath, first, kubeconfigArguments: path => [`--kubeconfig=${path}`] }
  return { image, what: 'a stand-in for ExternalDNS, which has not been built on this machine' }
}

function builtProgram(): string | undefined {
  const folder = keptFolder()
  if (!existsSync(folder)) return undefined
  const [name] = readdirSync(folder).filter(file => /^[0-9a-f]{16}$/.test(file))
  return name === undefined ? undefined : join(folder, name)
}

/** The folder in which the tests keep their built programs. */
export function keptFolder(): string {
  const base = process.env['XDG_CACHE_HOME']
  return join(base !== undefined && base !== '' ? base : join(homedir(), '.cache'), 'vouch', kept)
}
