// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The main function that the package manager expects of this executable.
@_cdecl("FuzzOperations_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, fuzzOperations)
}
