/** A file that a person chose or dropped. */
export interface GatheredFile {
  file: File;
  /** The path from the chosen folder on, with the names of folder and file: `Council/2024/minutes.pdf`. */
  path: string;
}

export interface GatheredFiles {
  files: GatheredFile[];
  /** The number of skipped files: hidden ones and those that operating systems create, such as `.DS_Store`. */
  leftOut: number;
}

const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || /^(Thumbs\.db|desktop\.ini|__MACOSX)$/i.test(part));

function gathered(all: readonly GatheredFile[]): GatheredFiles {
  // A file that was chosen individually is never skipped.
  const files = all.filter(({ path }) => !path.includes("/") || !isHidden(path));
  const inOrder = files.toSorted((left, right) =>
    left.path.localeCompare(right.path, undefined, { numeric: true }),
  );
  return { files: inOrder, leftOut: all.length - files.length };
}

/** The files of an input, with their paths if the input takes folders. */
export function chosenFiles(files: FileList): GatheredFiles {
  return gathered(
    Array.from(files, (file) => ({
      file,
      path: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath,
    })),
  );
}

/** The dropped files, and all files in the dropped folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<GatheredFiles> {
  // The browser empties the list of items as soon as this function awaits something, so all items are read first.
  const entries = Array.from(transfer.items).map((item) => ({
    entry: item.kind === "file" ? item.webkitGetAsEntry() : null,
    file: item.getAsFile(),
  }));
  const found: GatheredFile[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory === true) await addFolder(entry as FileSystemDirectoryEntry, found);
    else if (file !== null) found.push({ file, path: file.name });
  }
  return gathered(found);
}

async function addFolder(folder: FileSystemDirectoryEntry, found: GatheredFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // Each call returns a hundred entries at most, and none at the end.
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
