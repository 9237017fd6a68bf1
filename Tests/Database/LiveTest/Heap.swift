// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The memory allocated with `malloc` and not freed. Fragmentation isn't counted.
enum Heap {
    /// Kilobytes, or 0 if the system doesn't report them.
    static var kilobytes: Int {
        #if canImport(Glibc)
            var buffer: UnsafeMutablePointer<CChar>?
            var length = 0
            guard let stream = open_memstream(&buffer, &length) else { return 0 }
            let status = mallocInfo(0, stream)
            fclose(stream)
            defer { free(buffer) }
            guard status == 0, let buffer else { return 0 }
            return inUse(String(cString: buffer)) / 1024
        #else
            return 0
        #endif
    }

    /// The sums over all arenas are last.
    private static func inUse(_ text: String) -> Int {
        func size(_ element: String) -> Int {
            let line = text.split(separator: "\n").last { $0.hasPrefix("<\(element)") }
            let digits = line?.components(separatedBy: "size=\"").last?.prefix { $0.isNumber }
            return digits.flatMap { Int($0) } ?? 0
        }
        return size("system type=\"current\"") + size("total type=\"mmap\"") - size("total type=\"fast\"")
            - size("total type=\"rest\"")
    }

    /// Restarts the program with a `malloc` without thread caches, which would count as in use.
    static func beginExactly() {
        #if canImport(Glibc)
            let name = "GLIBC_TUNABLES"
            guard getenv(name) == nil else { return }
            setenv(name, "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1", 1)
            var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
            execv("/proc/self/exe", &arguments)
        #endif
    }

    /// Runs ten parts and prints the memory in use after each. Throws if it exceeds the value after the second part,
    /// when one-time allocations are done.
    static func verifyFlat(_ title: String, _ count: Int, _ part: (Int) async throws -> Void) async throws {
        var before = 0
        for step in 1...10 {
            try await part(max(1, count / 10))
            let now = kilobytes
            print("\(step * max(1, count / 10)) \(title): \(now) KB")
            if step == 2 { before = now }
            if step > 2, now > before + allowance { throw Broken("\(title): from \(before) KB to \(now) KB") }
        }
    }

    /// For short-lived threads and growing buffers, independent of the duration. Kilobytes.
    private static let allowance = 200
}

#if canImport(Glibc)
    /// The Swift module of the C library lacks it.
    @_silgen_name("malloc_info")
    private func mallocInfo(_ options: Int32, _ stream: UnsafeMutablePointer<FILE>) -> Int32
#endif
