// Which build this is. The build writes the commit into the bundle; sources have none.
import manifest from '../../../package.json' with { type: 'json' }

declare const VOUCH_COMMIT: string | undefined
declare const VOUCH_COMMIT_DATE: string | undefined

const commit = typeof VOUCH_COMMIT === 'string' ? VOUCH_COMMIT : 'source'

/** Of the commit: a build of the same sources says the same whenever it is made. */
const date = typeof VOUCH_COMMIT_DATE === 'string' ? VOUCH_COMMIT_DATE : 'unknown'

export const version: string = manifest.version
export const build: { readonly commit: string; readonly date: string } = { commit, date }

/** One line for `--version` of programs that stand in for others. */
export function renderVersion(program: string): string {
  return `${program} ${version} commit ${commit} node ${process.version} ${process.platform}-${process.arch}`
}
