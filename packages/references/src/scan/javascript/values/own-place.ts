/** Words with which a file names its own place or the current directory. Such a file is parsed to its end. */
export const NAMES_ITS_PLACE =
  /createRequire|__dirname|__filename|import\.meta|process\.cwd|PROJECT_CWD/;
