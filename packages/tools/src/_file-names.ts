import { posix } from 'node:path';

const DEVICES: ReadonlySet<string> = new Set(
  ['zero', 'random', 'urandom', 'full', 'stdin', 'tty', 'console', 'stdout', 'stderr']
    .concat(['fd/0', 'fd/1', 'fd/2'])
    .map((name) => `/dev/${name}`),
);
const PROCESS_STREAM = /^\/proc\/[^/]+\/fd\/[0-2]$/;

/** Would reading it block, or never end? */
export function isEndlessDevice(path: string): boolean {
  const plain = posix.normalize(path);
  return DEVICES.has(plain) || PROCESS_STREAM.test(plain);
}

const IMAGES: ReadonlySet<string> = new Set(
  'png jpg jpeg gif webp bmp ico tiff tif heic avif'.split(' '),
);
const BINARIES: ReadonlySet<string> = new Set(
  [
    'mp3 wav flac ogg m4a mp4 mkv avi mov webm',
    'zip tar gz tgz bz2 xz zst 7z rar jar war whl deb rpm iso dmg',
    'exe dll so dylib a o obj class pyc pyo wasm',
    'pdf doc docx xls xlsx ppt pptx odt ods odp',
    'ttf otf woff woff2 eot sqlite sqlite3 parquet npy npz pkl pickle onnx pt safetensors gguf',
  ].flatMap((line) => line.split(' ')),
);

/** Is it an image, by its name? */
export function isImageName(path: string): boolean {
  return IMAGES.has(extensionOf(path));
}

/** Is it a file that no one reads as text, by its name? */
export function isBinaryName(path: string): boolean {
  return BINARIES.has(extensionOf(path));
}

/** `archive.TAR.gz` -> `gz`; '' where there is none. */
function extensionOf(path: string): string {
  return posix.extname(path).slice(1).toLowerCase();
}
