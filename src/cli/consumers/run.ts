// From the name of a consumer to its program. What cannot be done is one line on standard error, in which no secret stands, and a 1.
import { examples } from '../frame/examples.ts'
import { exitCode, renderExitCodes } from '../frame/exit-codes.ts'
import { tellText, warn } from '../frame/print.ts'
import type { Consumer } from './consumer.ts'
import { credentialProcess } from './credential-process.ts'
import type { ConsumerKind, StartedConsumer } from './name.ts'
import { sidecar } from './sidecar.ts'

const consumers: Readonly<Record<ConsumerKind, Consumer>> = { 'credential-process': credentialProcess, sidecar }

export async function runConsumer(started: StartedConsumer): Promise<void> {
  const { kind, args, called } = started
  const { run, vagueTrouble } = consumers[kind]
  if (args.some(argument => /^--?h(elp)?$/.test(argument))) {
    const { renderHelp } = await import('#base')
    const { processFlags, sidecarFlags } = await import('#credentials')
    tellText(
      `${renderHelp(called, kind === 'sidecar' ? sidecarFlags : processFlags)}\n${examplesOf(kind)}\n${renderExitCodes(kind) ?? ''}`,
    )
    return
  }
  try {
    process.exitCode = exitCode(kind, await run(started))
  } catch (error) {
    const { renderTrouble } = await import('#credentials')
    warn(renderTrouble(error, vagueTrouble))
    process.exitCode = exitCode(kind, 'failed')
  }
}

function examplesOf(kind: ConsumerKind): string {
  return (examples[kind] ?? []).map(({ what, line }) => `# ${what}\n${line}\n`).join('')
}
