// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && !os(Windows)
    /// The names that the loaded images of this process import from each other.
    ///
    /// Read from the dynamic symbol tables of ELF images, whose layouts are fixed by the System V ABI. Statically
    /// linked symbols aren't imported.
    package enum ImportedSymbols {
        /// Returns the names that begin with `prefix` and satisfy `isWanted`, which receives the name without the
        /// prefix. Returns nil if the platform doesn't list imports.
        package static func filter(prefix: StaticString, _ isWanted: (String) -> Bool) -> [String]? {
            guard MemoryLayout<UInt>.size == 8 else { return nil }
            var names: [String] = []
            let images = unsafe ElfImage.all()
            for index in unsafe images.indices {
                unsafe images[index].forEachImport { name in
                    guard let rest = unsafe ImportedSymbols.rest(of: name, after: prefix), isWanted(rest) else {
                        return
                    }
                    names.append(rest)
                }
            }
            return names
        }

        /// Compares byte by byte: there are tens of thousands of names, and almost all differ early.
        private static func rest(of name: UnsafePointer<UInt8>, after prefix: StaticString) -> String? {
            let wanted = unsafe prefix.utf8Start
            for index in 0..<prefix.utf8CodeUnitCount where unsafe name[index] != wanted[index] { return nil }
            return unsafe String(cString: name + prefix.utf8CodeUnitCount)
        }
    }

    @_silgen_name("dl_iterate_phdr")
    private func iterateImages(
        _ body: @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> Int32,
        _ context: UnsafeMutableRawPointer
    ) -> Int32

    @unsafe private struct ElfImage {
        private enum Tag {
            static let strings = 5
            static let symbols = 6
            static let hash = 0x6fff_fef5
        }

        private var strings: UnsafePointer<UInt8>?
        private var symbols: UnsafeRawPointer?
        private var hash: UnsafeRawPointer?

        static func all() -> [ElfImage] {
            var images = unsafe [ElfImage]()
            unsafe withUnsafeMutablePointer(to: &images) { pointer in
                _ = unsafe iterateImages(
                    { info, _, context in
                        let images = unsafe context.assumingMemoryBound(to: [ElfImage].self)
                        if let image = unsafe ElfImage(info: info) { unsafe images.pointee.append(image) }
                        return 0
                    }, UnsafeMutableRawPointer(pointer))
            }
            return unsafe images
        }

        /// Reads a `dl_phdr_info`: the load address, the name, the program headers and their number.
        private init?(info: UnsafeRawPointer) {
            let base = unsafe info.load(as: UInt.self)
            let count = Int(unsafe info.load(fromByteOffset: 24, as: UInt16.self))
            guard let headers = unsafe info.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else { return nil }
            for index in 0..<count {
                let header = unsafe headers + index * 56
                // PT_DYNAMIC, and its virtual address.
                guard unsafe header.load(as: UInt32.self) == 2 else { continue }
                let address = unsafe base &+ header.load(fromByteOffset: 16, as: UInt.self)
                guard let section = unsafe UnsafeRawPointer(bitPattern: address) else { continue }
                unsafe read(section, base)
            }
        }

        private mutating func read(_ section: UnsafeRawPointer, _ base: UInt) {
            var entry = unsafe section
            while true {
                let tag = unsafe entry.load(as: Int.self)
                if tag == 0 { return }
                let value = unsafe entry.load(fromByteOffset: 8, as: UInt.self)
                // Some loaders leave addresses as they are in the file.
                let address = value < base ? base &+ value : value
                switch tag {
                case Tag.strings: unsafe strings = UnsafePointer(bitPattern: address)
                case Tag.symbols: unsafe symbols = UnsafeRawPointer(bitPattern: address)
                case Tag.hash: unsafe hash = UnsafeRawPointer(bitPattern: address)
                default: break
                }
                unsafe entry += 16
            }
        }

        /// The symbols that the hash table omits are first. They are those that the image doesn't define.
        func forEachImport(_ body: (UnsafePointer<UInt8>) -> Void) {
            guard let strings = unsafe strings, let symbols = unsafe symbols, let hash = unsafe hash else { return }
            let count = Int(unsafe hash.load(fromByteOffset: 4, as: UInt32.self))
            for index in 0..<count {
                let name = Int(unsafe symbols.load(fromByteOffset: index * 24, as: UInt32.self))
                unsafe body(strings + name)
            }
        }
    }
#endif
