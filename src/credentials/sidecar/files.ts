// The two files of a sidecar: the token, and the configuration that makes every SDK of AWS use it. Whoever reads them sees the old ones or
// the new ones, each whole.
import { dirname } from 'node:path'
import type { Files } from '#base'

export interface SidecarPaths {
  readonly tokenFile: string
  readonly configFile: string
}

export interface SidecarContents {
  readonly token: string
  readonly roleArn: string
  readonly sessionName: string
}

export type SidecarFiles = Pick<Files, 'write' | 'makeFolder'>

export async function writeSidecarFiles(files: SidecarFiles, paths: SidecarPaths, contents: SidecarContents): Promise<void> {
  // The token first: a configuration that is there has a token.
  await replaceFile(files, paths.tokenFile, contents.token)
  await replaceFile(files, paths.configFile, renderAwsConfig(paths.tokenFile, contents))
}

export function renderAwsConfig(tokenFile: string, { roleArn, sessionName }: Omit<SidecarContents, 'token'>): string {
  const lines = [
    '[default]',
    `role_arn = ${roleArn}`,
    `web_identity_token_file = ${tokenFile}`,
    `role_session_name = ${sessionName}`,
    'sts_regional_endpoints = regional',
  ]
  return `${lines.join('\n')}\n`
}

/** The program beside us may be in our group; nobody else has any business there. */
const folderMode = 0o750

async function replaceFile(files: SidecarFiles, path: string, text: string): Promise<void> {
  await files.makeFolder(dirname(path), { mode: folderMode })
  await files.write(path, text, { mode: 0o600, draftPrefix: '.aws-irsa-' })
}

/** What a startup probe asks; a text says what is wrong. The token file is looked at first. */
export async function checkSidecarFiles(
  files: Pick<Files, 'info'>,
  { tokenFile, configFile }: SidecarPaths,
): Promise<string | undefined> {
  return (await troubleWith(files, 'token file', tokenFile)) ?? (await troubleWith(files, 'AWS config file', configFile))
}

async function troubleWith(files: Pick<Files, 'info'>, what: string, path: string): Promise<string | undefined> {
  const info = await files.info(path)
  if (info === undefined) return `${what} ${path} is not there`
  if (info.kind === 'folder') return `${what} ${path} is a folder`
  return info.bytes === 0 ? `${what} ${path} is empty` : undefined
}
