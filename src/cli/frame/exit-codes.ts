// With which code each command ends, and why: the one table. The commands take their codes from here, their --help and
// docs/reference/commands.md show it, and src/cli/frame/exit-codes.test.ts has every command end in each of its ways.
import type { Command } from 'commander'

/** What a script may want to tell apart, by a name for the code that ends so. */
export type Ways = Readonly<Record<string, readonly [code: number, when: string]>>

const usual: Ways = { done: [0, 'done'], failed: [1, 'it could not, or the command line is wrong'] }
const serving: Ways = { stopped: [0, 'told to stop'], failed: [1, 'it could not go on, or the command line is wrong'] }

const webhookServing: Ways = {
  stopped: [0, 'told to stop'],
  failed: [1, 'it could not go on'],
  misused: [2, 'the command line or the environment is wrong'],
}

export const exitCodes: Readonly<Record<string, Ways>> = {
  dev: {
    held: [0, 'all of the story held'],
    failed: [1, 'it did not, or could not be told'],
    interrupted: [130, 'stopped before its end'],
  },
  operator: serving,
  webhook: usual,
  'webhook aws': webhookServing,
  'webhook azure': webhookServing,
  'webhook both': webhookServing,
  'webhook mutate': {
    allowed: [0, 'the pod is allowed'],
    failed: [1, 'something could not be read, or the command line is wrong'],
    refused: [2, 'the pod is refused'],
  },
  'webhook audit': {
    same: [0, 'every pod has what it would get today'],
    failed: [1, 'it could not look, or the command line is wrong'],
    outdated: [3, 'some pods do not'],
    nothing: [4, 'there was no pod to look at'],
  },
  'webhook manifests': usual,
  render: usual,
  rights: usual,
  plan: {
    nothing: [0, 'nothing would be done'],
    failed: [1, 'something is in the way, is wrong or is not known; it could not look; or the command line is wrong'],
    something: [2, 'something would be done'],
  },
  export: usual,
  infer: usual,
  'infer classify': usual,
  'infer explain': usual,
  'infer diff': { same: [0, 'the same'], failed: [1, 'they differ, or could not be read'] },
  'credential-process': {
    done: [0, 'credentials stand on standard output'],
    failed: [1, 'there are none, or the command line is wrong'],
  },
  sidecar: {
    stopped: [0, 'told to stop'],
    checked: [0, '`check`: both files are there'],
    failed: [1, 'the command line is wrong; `check`: a file is missing or empty'],
  },
  apiserver: serving,
  aws: serving,
  azure: serving,
  'aws explain': usual,
  'aws can': { may: [0, 'the pod may'], failed: [1, 'it may not, or nobody could be asked'] },
  completion: usual,
  version: usual,
}

/** The code of one way in which a command ends. */
export function exitCode(command: string, way: string): number {
  const found = exitCodes[command]?.[way]
  if (found === undefined) throw new Error(`exit-codes.ts has no way ${way} of ${command}`)
  return found[0]
}

/** For a help, a line each; nothing for what is no command of the table. */
export function renderExitCodes(command: string): string | undefined {
  const ways = exitCodes[command]
  return ways === undefined
    ? undefined
    : `Exit codes:\n${Object.values(ways)
        .map(([code, when]) => `  ${String(code).padEnd(2)} ${when}`)
        .join('\n')}`
}

/** `aws can` of the command `can` below `aws`. */
export function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`
}
