// Which build this is. The build writes the commit into the bundle; sources have none.
import manifest from '../../package.json' with { type: 'json' }

declare const VOUCH_COMMIT: string | undefined

const commit = typeof VOUCH_COMMIT === 'string' ? VOUCH_COMMIT : 'source'

export const version: string = manifest.version

/** One line for `--version` of programs that stand in for others. */
export function renderVersion(program: string): string {
  return `${program} ${version} commit ${commit} node ${process.version} ${process.platform}-${process.arch}`
}
