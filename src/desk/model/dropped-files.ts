/** A file as a person brings it. */
export interface BroughtFile {
  file: File;
  /** Within the folder that was brought, with the folder's name and the file's: `Council/2024/minutes.pdf`. */
  path: string;
}

export interface Brought {
  files: BroughtFile[];
  /** The number of files that systems put into folders by themselves, such as `.DS_Store`. */
  leftOut: number;
}

const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || /^(Thumbs\.db|desktop\.ini|__MACOSX)$/i.test(part));

function brought(all: readonly BroughtFile[]): Brought {
  // A file that was chosen by itself is never left out.
  const files = all.filter(({ path }) => !path.includes("/") || !isHidden(path));
  const inOrder = files.toSorted((left, right) =>
    left.path.localeCompare(right.path, undefined, { numeric: true }),
  );
  return { files: inOrder, leftOut: all.length - files.length };
}

/** The files of an input; for one that takes folders, with their paths. */
export function chosenFiles(files: FileList): Brought {
  return brought(
    Array.from(files, (file) => ({
      file,
      path: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath,
    })),
  );
}

/** The files that were dropped, and all files of the folders among them. */
export async function droppedFiles(transfer: DataTransfer): Promise<Brought> {
  // The list of items is empty after the first pause.
  const entries = Array.from(transfer.items).map((item) => ({
    entry: item.kind === "file" ? item.webkitGetAsEntry() : null,
    file: item.getAsFile(),
  }));
  const found: BroughtFile[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory === true) await addFolder(entry as FileSystemDirectoryEntry, found);
    else if (file !== null) found.push({ file, path: file.name });
  }
  return brought(found);
}

async function addFolder(folder: FileSystemDirectoryEntry, found: BroughtFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A reader gives at most a hundred entries at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, found);
      else {
        const file = await new Promise<File>((resolve, reject) => {
          (entry as FileSystemFileEntry).file(resolve, reject);
        });
        found.push({ file, path: entry.fullPath.replace(/^\//, "") });
      }
    }
  }
}
