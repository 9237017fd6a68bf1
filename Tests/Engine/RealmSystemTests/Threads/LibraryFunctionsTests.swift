// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

#if canImport(Glibc)
    @Suite struct LibraryFunctionsTests {
        private typealias Square = @convention(c) (Double) -> Double

        /// The number of calls that `find` still rejects. `lock` guards it.
        private final class Refusals: @unchecked Sendable {
            private let lock = Lock()
            private var left: Int

            init(_ count: Int) { left = count }

            func take() throws {
                try lock.locked {
                    left -= 1
                    if left >= 0 { throw Failure("the library cannot be used now") }
                }
            }
        }

        @Test func aLibraryThatCouldNotBeLoadedIsLoadedLater() throws {
            let refusals = Refusals(2)
            let root = LibraryFunctions(names: ["libnone.so", "libm.so.6"]) { library -> Square in
                try refusals.take()
                return try library.function("sqrt")
            }
            #expect(root.functions == nil)
            #expect(root.functions == nil)
            #expect(root.functions?(9) == 3)
            #expect(root.functions?(16) == 4)
        }

        @Test func aLibraryWithoutAFunctionIsSkipped() {
            let none = LibraryFunctions(names: ["libm.so.6"]) { library -> Square in
                try library.function("this_is_no_function")
            }
            #expect(none.functions == nil)
        }
    }
#endif
