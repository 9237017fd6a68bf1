// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Makes one view of the views that a closure lists.
@resultBuilder public struct ViewBuilder {
    /// Takes one view.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }

    /// A closure without views shows nothing.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view stays what it is.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }

    /// Several views become one that lists them, however many there are.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
    where repeat each Content: View {
        TupleView((repeat each content))
    }

    /// An `if` without `else`.
    public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }

    /// The first branch of an `if` or `switch`.
    public static func buildEither<TrueContent, FalseContent>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(branch: .first(first))
    }

    /// The second branch of an `if` or `switch`.
    public static func buildEither<TrueContent, FalseContent>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
        _ConditionalContent(branch: .second(second))
    }

    /// An `if #available`.
    public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content: View {
        AnyView(content)
    }
}
