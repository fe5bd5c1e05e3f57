import { spawn } from 'node:child_process'
import type { ProgramCall, ProgramResult, Programs } from '../seams/seams.ts'

/** Why a helper program gave no result. */
export type ProgramFailureCode = 'not-found' | 'timeout' | 'too-much-output' | 'killed' | 'aborted'

export class ProgramFailure extends Error {
  readonly code: ProgramFailureCode
  constructor(code: ProgramFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProgramFailure'
    this.code = code
  }
}

/** The machine's own programs. They get no shell, no inherited environment, and an end. */
export const systemPrograms: Programs = { run }

function run(call: ProgramCall): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(call.command, [...call.args], { env: call.env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
    const outputs = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
    let bytes = 0
    let failure: ProgramFailure | undefined
    const stop = (code: ProgramFailureCode, message: string): void => {
      failure ??= new ProgramFailure(code, `${call.command} ${message}`)
      child.kill('SIGKILL')
      // Children of the program may hold the pipes open after the program has gone.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const timer = setTimeout(() => stop('timeout', `was not done within ${call.timeoutMs} ms`), call.timeoutMs)
    const onAbort = (): void => stop('aborted', 'was aborted')
    call.signal?.addEventListener('abort', onAbort, { once: true })
    if (call.signal?.aborted === true) onAbort()
    const collect = (name: 'stdout' | 'stderr') => (piece: Buffer) => {
      bytes += piece.length
      if (bytes > call.outputBytesMax) stop('too-much-output', `wrote more than ${call.outputBytesMax} bytes`)
      else outputs[name].push(piece)
    }
    child.stdout.on('data', collect('stdout'))
    child.stderr.on('data', collect('stderr'))
    child.stdin.on('error', () => {})
    child.stdin.end(call.input)
    const release = (): void => {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', onAbort)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      release()
      const detail = error.code === 'ENOENT' ? 'there is no such program' : error.message
      reject(failure ?? new ProgramFailure('not-found', `cannot run ${call.command}: ${detail}`, { cause: error }))
    })
    child.on('close', (code, signal) => {
      release()
      if (failure !== undefined) reject(failure)
      else if (code === null) reject(new ProgramFailure('killed', `${call.command} was ended by ${signal}`))
      else resolve({ code, stdout: Buffer.concat(outputs.stdout), stderr: Buffer.concat(outputs.stderr) })
    })
  })
}
