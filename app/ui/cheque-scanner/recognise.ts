/** The recogniser: ordinary text recognition that knows digits only, in a worker, all of it from our own origin. */
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import { CHEQUE_CHARACTERS, readCheque } from '../../../domain/cheque.ts'

const home = '/cheque-reader'

export interface Read {
  routingNumber: string
  accountNumber: string
}

export interface Recogniser {
  /** The numbers of a picture of a cheque's lowest line; null where they cannot be told. */
  read(picture: HTMLCanvasElement): Promise<Read | null>
  end(): void
}

/** Fetches and starts it: some 7 MB. @throws where it cannot be fetched or started */
export async function startRecogniser(): Promise<Recogniser> {
  const worker: Worker = await createWorker('eng', OEM.LSTM_ONLY, {
    workerPath: `${home}/worker.min.js`,
    corePath: home,
    langPath: home,
    // The page's policy knows workers of our own origin, and no others; the browser's cache keeps the files.
    workerBlobURL: false,
    cacheMethod: 'none',
    errorHandler: () => {},
  })
  await worker.setParameters({
    // And the gap between two numbers: without it their ends run together, and nothing is sure any more.
    tessedit_char_whitelist: `${CHEQUE_CHARACTERS} `,
    tessedit_pageseg_mode: PSM.SINGLE_BLOCK,
  })
  return {
    async read(picture) {
      const { data } = await worker.recognize(picture)
      return readCheque(data.text, data.confidence)
    },
    end: () => void worker.terminate(),
  }
}
