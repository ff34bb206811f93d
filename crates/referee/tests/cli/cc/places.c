#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
#include <string.h>
struct conn { int id; unsigned flags:3; int chunk; char name[8]; struct conn *next; };
typedef struct { int chunk; } Other;
int chunksize = 3;
static int state, other_state;
struct pair { int a, b; };
struct pair make(int a, int b) { struct pair p = { a, b }; return p; }
static int old(a, b) int a; char *b; { return a + (int)strlen(b); }
void nothing(int n) { if (n > 2) return; n++; }
void nothing2(int n) { return nothing(n); }
int vari(const char *f, ...) { return f[0]; }
double half(float x) { if (x > 1) return x / 2; else return 0; }
static struct conn *find(struct conn *c, int id) { while (c && c->id != id) c = c->next; return c; }
int (*pick(int x))(int) { int nested(int y) { return y + x; } (void)nested(1); return 0; }
_Noreturn void die(int code) { exit(code); }
int main(int argc, char **argv)
{
    struct conn c = { .id = 7, .chunk = 1, .name = "abc" }, *conn = &c;
    int chunk, i = 0;
    Other o = { .chunk = 3 };
    chunksize = 5, chunksize += 2;
    chunksize++; ++chunksize;
    { int chunksize = 9; chunksize = 10; state = chunksize ? 4 : 5; }
    for (int k = 0, state = 5; k < 1; k++) state = 3;
    conn->chunk = 4; c.chunk++; --find(conn, 7)->chunk; o.chunk = 77; chunk = 3;
    (&c)->flags = 9; conn->next = 0;
    while ((conn->chunk = i++) < 2) ;
    int fd = open("/dev/null", O_RDONLY | (chunk = 2));
    close(fd); close(
       dup(1));
    make(1, 2).a; old(1, "x"); nothing(3); nothing2(1); vari("a%d", 1); half(3.0f); pick(2);
    char *volatile s = malloc(3); free(s);
    if (argc > 5) die(3);
    return find(conn, 7) ? 0 : 1;
}
